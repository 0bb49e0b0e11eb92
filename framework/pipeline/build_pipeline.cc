#include "framework/pipeline/build_pipeline.h"

#include <set>
#include <utility>

#include <fmt/format.h>

#include "framework/io/atomic_file.h"
#include "framework/pipeline/adopt_error.h"
#include "framework/pipeline/check_config.h"
#include "framework/pipeline/check_listeners.h"
#include "framework/pipeline/component_name.h"
#include "framework/pipeline/find_pipeline.h"
#include "framework/pipeline/init_fault.h"
#include "framework/pipeline/language_words.h"
#include "framework/pipeline/load_config.h"
#include "framework/pipeline/model_size.h"
#include "framework/pipeline/pipeline_settings.h"
#include "framework/pipeline/replace_listeners.h"
#include "framework/pipeline/sourced_component.h"
#include "framework/pipeline/used_plugins.h"
#include "framework/pipeline/vocab_files.h"
#include "registry/base/error.h"
#include "registry/base/input_file.h"
#include "registry/building/resolve.h"
#include "registry/reading/cfg_reader.h"
#include "registry/value/json.h"

namespace weft {
namespace {

namespace fs = std::filesystem;

// Puts the real blocks of sourced components into both configs; gives where their state lies.
std::optional<SourcedComponent> take_source(Config& kept, Config& values, const std::string& name) {
  const std::string path = "components." + name;
  std::optional<SourcedComponent> source = sourced_component(values, name);
  if (!source) return std::nullopt;
  require_same_language(*source, values);
  const Node real = sourced_block(*source);
  values.find(path)->value() = real.value();
  kept.find(path)->value() = real.value();
  return source;
}

enum class Parameters { made_later, read_from_disk };

// Files and networks of sourced components, read once all components are there.
struct Sources {
  std::vector<std::pair<Component*, fs::path>> states;
  std::set<fs::path> folders;  // whose strings their components may need
  std::vector<std::pair<std::string, SourcedComponent>> listening;  // to what they shall have

  void add(const std::string& name, const SourcedComponent& source, Component& component) {
    if (component.has_state()) {
      folders.insert(source.folder);
      states.emplace_back(&component, component_path(source.folder, source.component));
    }
    if (!source.replace_listeners.empty()) listening.emplace_back(name, source);
  }
};

void read_sources(Language& nlp, const Sources& sources, const Catalogue& catalogue,
                  Problems& problems) {
  for (const fs::path& folder : sources.folders) {
    const fs::path strings = folder / "vocab" / "strings.json";
    if (is_there(strings)) read_strings(*nlp.vocab(), strings);
  }
  for (const auto& [component, folder] : sources.states) component->from_disk(folder);
  // Names of their own: clang before 16 captures no structured bindings.
  for (const auto& listening : sources.listening) {
    const auto& name = listening.first;
    const auto& source = listening.second;
    Node& block = *nlp.config().find("components." + name);
    run_adopting("components." + name + ".replace_listeners", source.listeners_place, problems,
                 [&] { replace_listeners(nlp, name, source, block, catalogue); });
  }
}

// A component that cannot be made is left out; `problems` say why.
void add_components(Language& nlp, Config values, const Catalogue& catalogue, Parameters parameters,
                    Problems& problems) {
  ModelSize size;
  Sources sources;
  std::optional<std::size_t> missing;  // where the first is that was left out
  for (const std::string& name : nlp.settings().pipeline) {
    const std::string path = "components." + name;
    std::optional<SourcedComponent> source;
    ComponentPtr component;
    const Node* own = values.find(path);
    const Origin place = own == nullptr ? Origin() : own->origin;
    const bool has_source = run_adopting(path + ".source", place, problems,
                                         [&] { source = take_source(nlp.config(), values, name); });
    if (has_source) {
      run_adopting(path, place, problems,
                   [&] { component = make_component(values, name, catalogue, problems); });
    }
    if (!component) {
      if (!missing) missing = nlp.pipeline().size();
      continue;
    }
    // Memory of reading is bounded by the sizes of the files.
    if (!source && parameters == Parameters::made_later) {
      size.add(*component, *values.find(path), path, problems);
    }
    if (source) sources.add(name, *source, *component);
    nlp.add({.name = name,
             .component = std::move(component),
             .enabled = !names_contain(nlp.settings().disabled, name),
             .sourced = source.has_value()});
  }
  // Files are read for a pipeline alone that comes about, and listeners are replaced by what they
  // hold.
  if (has_errors(problems) && !sources.folders.empty()) return;
  read_sources(nlp, sources, catalogue, problems);
  // Those behind one that is missing may have listened to it.
  check_listeners(nlp, missing.value_or(nlp.pipeline().size()), problems);
}

// As far as it can be read.
Object meta_of(const fs::path& folder) {
  if (!is_there(folder / "meta.json")) return {};
  auto meta = parse_json(read_file(folder / "meta.json", kMostSettings));
  return meta && meta->is_object() ? std::move(meta->as_object()) : Object();
}

// Problems of the parts that a saved pipeline is built from. The rest of its config was for
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
                                Parameters parameters, Problems& problems) {
  const Config values = expanded(config);
  Problems of_section;
  auto settings = resolve_section<NlpSettings>(values, "nlp", catalogue, of_section);
  throw_errors(std::move(of_section));
  auto nlp = std::make_shared<Language>(config, std::move(*settings));
  nlp->set_catalogue(catalogue);
  set_language_words(nlp->mutable_vocab(), catalogue);
  // A callback may look at the tokenizer that the config asks for, and put another in its place.
  nlp->set_tokenizer(
      [&settings = nlp->settings()] { return settings.tokenizer.make(settings.lang); });
  call_placed(nlp->settings().before_creation, *nlp, "nlp.before_creation");
  call_placed(nlp->settings().after_creation, *nlp, "nlp.after_creation");
  add_components(*nlp, values, catalogue, parameters, problems);
  if (has_errors(problems)) return nlp;
  if (Object plugins = used_plugins(expanded(nlp->config()), catalogue); !plugins.empty()) {
    nlp->meta().set("plugins", std::move(plugins));
  }
  call_placed(nlp->settings().after_pipeline_creation, *nlp, "nlp.after_pipeline_creation");
  return nlp;
}

// The pipeline in `folder` without what it learnt.
std::shared_ptr<Language> build_saved(const Config& config, const Catalogue& catalogue,
                                      const fs::path& folder) {
  try {
    Problems problems;
    auto nlp = build(config, catalogue, Parameters::read_from_disk, problems);
    throw_errors(std::move(problems));
    return nlp;
  } catch (const Error& error) {
    if (error.problems().empty()) throw;
    Problems problems = error.problems();
    name_plugins(problems, meta_of(folder));
    throw Error(error.kind(), std::move(problems));
  }
}

}  // namespace

std::shared_ptr<Language> build_pipeline(const Config& config, const Catalogue& catalogue) {
  Problems problems;
  auto nlp = build_possible(config, catalogue, problems);
  throw_errors(std::move(problems));
  nlp->tokenizer();
  return nlp;
}

std::shared_ptr<Language> build_possible(const Config& config, const Catalogue& catalogue,
                                         Problems& problems) {
  return build(config, catalogue, Parameters::made_later, problems);
}

std::shared_ptr<Language> load_pipeline(const fs::path& name, const Catalogue& catalogue,
                                        const Overrides& overrides, const ComponentChoice& choice) {
  const fs::path folder = find_pipeline(name.string());
  if (fs::is_regular_file(folder)) {
    throw Error(ErrorKind::usage,
                fmt::format("{} is a file, and a pipeline is a folder", folder.string()));
  }
  if (!fs::is_directory(folder)) {
    throw Error(ErrorKind::usage, fmt::format("there is no pipeline folder {}{}", name.string(),
                                              where_looked_for(name.string())));
  }
  if (!is_there(folder / "config.cfg")) {
    throw Error(ErrorKind::data,
                fmt::format("{} is no pipeline: it has no config.cfg", folder.string()));
  }
  if (const auto fault = run_folder_fault(folder)) throw Error(ErrorKind::usage, *fault);
  require_regular(folder / "config.cfg");
  Problems problems;
  Config config = read_config_file(folder / "config.cfg", problems,
                                   {.interpolate = false, .single_dollars = true});
  if (!has_errors(problems)) {
    if (config.find("nlp.lang") == nullptr) {
      throw Error(ErrorKind::data, fmt::format("{} is no pipeline's: it has no [nlp] lang",
                                               (folder / "config.cfg").string()));
    }
    choose_components(config, choice);
    override_pipeline_config(config, overrides, catalogue, problems);
    config = fill_pipeline_config(config, catalogue, problems);
  }
  problems = of_components_in_use(of_pipeline(std::move(problems)), config);
  if (has_errors(problems)) name_plugins(problems, meta_of(folder));
  throw_errors(std::move(problems));
  auto nlp = build_saved(config, catalogue, folder);
  nlp->from_disk(folder);
  return nlp;
}

}  // namespace weft
