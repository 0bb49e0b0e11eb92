#include "framework/pipeline/build_pipeline.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "framework/io/atomic_file.h"
#include "framework/pipeline/check_config.h"
#include "framework/pipeline/component_name.h"
#include "framework/pipeline/load_config.h"
#include "framework/pipeline/model_size.h"
#include "framework/pipeline/settings.h"
#include "framework/pipeline/used_plugins.h"
#include "registry/base/error.h"
#include "registry/base/input_file.h"
#include "registry/building/resolve.h"
#include "registry/reading/cfg_reader.h"
#include "registry/value/json.h"

namespace weft {
namespace {

namespace fs = std::filesystem;

void call(const std::optional<Callback>& callback, Language& nlp) {
  if (!callback) return;
  CallbackCall arguments{nlp};
  callback->call(arguments);
}

// The config block of a component in a saved pipeline, in the place of `source = FOLDER`.
Node sourced_block(const fs::path& folder, const std::string& name, const Origin& place) {
  require_regular(folder / "config.cfg");
  Problems problems;
  const Config source = read_config_file(folder / "config.cfg", problems, {.interpolate = true});
  throw_errors(std::move(problems));
  const Node* block = source.find("components." + name);
  if (block == nullptr) {
    throw Error(ErrorKind::config, fmt::format("{} has no component '{}'", folder.string(), name),
                place);
  }
  return *block;
}

struct Source {
  fs::path folder;
  std::string component;
};

// Puts the real blocks of sourced components into both configs; gives where their state lies.
std::optional<Source> take_source(Config& kept, Config& values, const std::string& name) {
  const std::string path = "components." + name;
  const Node* block = values.find(path);
  if (block == nullptr || !block->is_object()) return std::nullopt;
  const Node* folder = block->as_object().find("source");
  if (folder == nullptr || !folder->is_string()) return std::nullopt;
  const Node* other = block->as_object().find("component");
  const bool renamed = other != nullptr && other->is_string();
  Source source{folder->as_string(), renamed ? other->as_string() : name};
  const Node real = sourced_block(source.folder, source.component, folder->origin);
  values.find(path)->value() = real.value();
  kept.find(path)->value() = real.value();
  return source;
}

ComponentPtr make_component(const Config& values, const std::string& name,
                            const Catalogue& catalogue, Problems& problems) {
  auto selected =
      resolve_selected(values, "components." + name, "factory", "factories", catalogue, problems);
  if (!selected) return nullptr;
  const Argument result = selected->function->call(selected->arguments);
  const ComponentPtr* component =
      result.is_product() ? result.product().get<ComponentPtr>() : nullptr;
  if (component == nullptr) {
    throw Error(ErrorKind::plugin, fmt::format("the factory '{}' made {}, not a component",
                                               selected->function->name(), result.type_name()));
  }
  return *component;
}

bool contains(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

enum class Parameters { made_later, read_from_disk };

void add_components(Language& nlp, Config values, const Catalogue& catalogue,
                    Parameters parameters) {
  Problems problems;
  ModelSize size;
  std::vector<std::pair<Component*, fs::path>> states;
  for (const std::string& name : nlp.settings().pipeline) {
    const auto source = take_source(nlp.config(), values, name);
    ComponentPtr component = make_component(values, name, catalogue, problems);
    if (!component) continue;  // `problems` says why
    // What is read is bounded by the files that it is in.
    if (!source && parameters == Parameters::made_later) {
      size.add(*component, *values.find("components." + name), "components." + name, problems);
    }
    if (source && component->has_state()) {
      states.emplace_back(component.get(), component_path(source->folder, source->component));
    }
    nlp.add({.name = name,
             .component = std::move(component),
             .enabled = !contains(nlp.settings().disabled, name),
             .sourced = source.has_value()});
  }
  throw_errors(std::move(problems));
  for (const auto& [component, folder] : states) component->from_disk(folder);
}

// As far as it can be read.
Object meta_of(const fs::path& folder) {
  if (!is_there(folder / "meta.json")) return {};
  auto meta = parse_json(read_file(folder / "meta.json", kMostSettings));
  return meta && meta->is_object() ? std::move(meta->as_object()) : Object();
}

// What is wrong with the parts that a saved pipeline is built from. The rest of its config was for
// training and may name functions that are not here.
Problems of_pipeline(Problems problems) {
  std::erase_if(problems, [](const Problem& problem) {
    const std::string section = problem.path.substr(0, problem.path.find('.'));
    return !section.empty() && section != "nlp" && section != "components";
  });
  return problems;
}

// With a tokenizer that is only made when somebody asks for it.
std::shared_ptr<Language> build(const Config& config, const Catalogue& catalogue,
                                Parameters parameters) {
  const Config values = expanded(config);
  Problems problems;
  auto settings = resolve_section<NlpSettings>(values, "nlp", catalogue, problems);
  throw_errors(std::move(problems));
  auto nlp = std::make_shared<Language>(config, std::move(*settings));
  nlp->set_catalogue(catalogue);
  call(nlp->settings().before_creation, *nlp);
  nlp->set_tokenizer(
      [&settings = nlp->settings()] { return settings.tokenizer.make(settings.lang); });
  call(nlp->settings().after_creation, *nlp);
  add_components(*nlp, values, catalogue, parameters);
  if (Object plugins = used_plugins(expanded(nlp->config()), catalogue); !plugins.empty()) {
    nlp->meta().set("plugins", std::move(plugins));
  }
  call(nlp->settings().after_pipeline_creation, *nlp);
  return nlp;
}

// The pipeline in `folder` without what it learnt.
std::shared_ptr<Language> build_saved(const Config& config, const Catalogue& catalogue,
                                      const fs::path& folder) {
  try {
    return build(config, catalogue, Parameters::read_from_disk);
  } catch (const Error& error) {
    if (error.problems().empty()) throw;
    Problems problems = error.problems();
    name_plugins(problems, meta_of(folder));
    throw Error(error.kind(), std::move(problems));
  }
}

}  // namespace

std::shared_ptr<Language> build_pipeline(const Config& config, const Catalogue& catalogue) {
  auto nlp = build(config, catalogue, Parameters::made_later);
  nlp->tokenizer();
  return nlp;
}

std::shared_ptr<Language> load_pipeline(const fs::path& folder, const Catalogue& catalogue,
                                        const Overrides& overrides) {
  if (!fs::is_directory(folder)) {
    throw Error(ErrorKind::usage, fmt::format("there is no pipeline folder {}", folder.string()));
  }
  if (!is_there(folder / "config.cfg")) {
    throw Error(ErrorKind::data,
                fmt::format("{} is no pipeline: it has no config.cfg", folder.string()));
  }
  require_regular(folder / "config.cfg");
  Problems problems;
  const Config config = load_pipeline_config(folder / "config.cfg", overrides, catalogue, problems);
  problems = of_pipeline(std::move(problems));
  if (has_errors(problems)) name_plugins(problems, meta_of(folder));
  throw_errors(std::move(problems));
  auto nlp = build_saved(config, catalogue, folder);
  nlp->from_disk(folder);
  return nlp;
}

}  // namespace weft
