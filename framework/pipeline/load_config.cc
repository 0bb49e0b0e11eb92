#include "framework/pipeline/load_config.h"

#include <cstddef>
#include <cstdlib>
#include <optional>
#include <span>
#include <utility>

#include "framework/pipeline/check_config.h"
#include "framework/pipeline/default_config.h"
#include "framework/pipeline/pipeline_settings.h"
#include "framework/pipeline/problem_places.h"
#include "framework/pipeline/score_weights.h"
#include "framework/pipeline/sourced_component.h"
#include "registry/base/error.h"
#include "registry/filling/fill.h"
#include "registry/overrides/command_overrides.h"
#include "registry/reading/cfg_reader.h"
#include "registry/value/merge.h"
#include "registry/variables/interpolate.h"
#include "registry/writing/cfg_writer.h"

namespace weft {
namespace {

// Nothing where a sourced component cannot be read: building the pipeline says why.
std::optional<std::string> factory_of(const Config& values, const std::string& name) {
  Node block;
  if (const auto source = sourced_component(values, name)) {
    try {
      block = sourced_block(*source);
    } catch (const Error&) {
      return std::nullopt;
    }
  } else if (const Node* own = values.find("components." + name)) {
    block = *own;
  }
  const Node* factory = block.is_object() ? block.as_object().find("factory") : nullptr;
  if (factory == nullptr || !factory->is_string()) return std::nullopt;
  return factory->as_string();
}

// The weights that the factories of the pipeline propose, in its order.
std::vector<Object> proposed_weights(const Config& values, const Catalogue& catalogue) {
  std::vector<Object> proposed;
  const Node* pipeline = values.find("nlp.pipeline");
  if (pipeline == nullptr || !pipeline->is_list()) return proposed;
  for (const Node& name : pipeline->as_list()) {
    if (!name.is_string()) continue;
    const auto factory = factory_of(values, name.as_string());
    if (!factory) continue;
    const Function* function = catalogue.find("factories", *factory);
    if (function == nullptr || !function->meta().is_object()) continue;
    const Node* weights = function->meta().as_object().find("default_score_weights");
    if (weights != nullptr && weights->is_object()) proposed.push_back(weights->as_object());
  }
  return proposed;
}

// The defaults of a language's own factory of a component go before those of the factory
// that the config names: `lemmatizer` in a config for "en" has those of `en.lemmatizer`.
void fill_language_defaults(Config& config, const Catalogue& catalogue) {
  const Node* lang = config.find("nlp.lang");
  Node* components = config.find("components");
  if (lang == nullptr || !lang->is_string()) return;
  if (components == nullptr || !components->is_object()) return;
  for (auto& [_, block] : components->as_object()) {
    const Node* name = block.is_object() ? block.as_object().find("factory") : nullptr;
    if (name == nullptr || !name->is_string()) continue;
    const std::string& factory = name->as_string();
    const Function* general = catalogue.find("factories", factory);
    const Function* own = catalogue.find("factories", lang->as_string() + "." + factory);
    if (general == nullptr || own == nullptr) continue;
    for (const FunctionParameter& parameter : own->signature().parameters) {
      const FunctionParameter* usual = general->signature().find(parameter.name);
      const bool differs = usual != nullptr && parameter.default_value && usual->default_value &&
                           !usual->default_value->same_value(*parameter.default_value);
      if (differs && !block.as_object().contains(parameter.name)) {
        block.as_object().set(parameter.name, *parameter.default_value);
      }
    }
  }
}

void fill_score_weights(Config& config, const Catalogue& catalogue) {
  Node* own = config.find("training.score_weights");
  if (own == nullptr || !own->is_object()) return;
  Problems unused;  // of variables; told when the config is filled
  const std::vector<Object> proposed = proposed_weights(interpolate(config, unused), catalogue);
  own->value() = combine_score_weights(proposed, own->as_object());
}

// The order in which values win: the file (with its overrides in it), the config of an empty
// pipeline, the factory of the language, the defaults of functions. Variables are expanded for the
// checks only; the result keeps them, so that it can be written and overridden.
Config fill_with(const Config& config, bool all_defaults, const Catalogue& catalogue,
                 Problems& problems) {
  const Node* lang = config.find("nlp.lang");
  const bool is_text = lang != nullptr && lang->is_string();
  const std::size_t told_before = problems.size();
  Config merged = merge(default_config(is_text ? lang->as_string() : std::string()), config);
  fill_language_defaults(merged, catalogue);
  check_pipeline_names(merged, problems);
  check_sources(merged, problems);
  const FillOptions options{.validate = true,
                            .report_unknown = true,
                            .keep_variables = true,
                            .all_defaults = all_defaults};
  Config filled = fill(merged, catalogue, pipeline_schemas(), problems, options);
  const std::span<Problem> found = std::span(problems).subspan(told_before);
  point_at_overrides(filled, found);
  point_at_sections(filled, found);
  suggest_elsewhere(filled, found);
  for (Problem& problem : found) {
    if (is_of_others(problem)) problem.severity = Severity::note;
  }
  fill_score_weights(filled, catalogue);
  filled.trailing_comments = config.trailing_comments;
  return filled;
}

}  // namespace

Overrides collect_all_overrides(const std::vector<std::string>& words, Problems& problems) {
  std::vector<EnvironmentOverrides> environment;
  for (const char* variable : {"SPACY_CONFIG_OVERRIDES", "WEFT_CONFIG_OVERRIDES"}) {
    const char* value = std::getenv(variable);
    if (value != nullptr) environment.push_back({variable, value});
  }
  return collect_overrides(words, environment, problems);
}

Config fill_pipeline_config(const Config& config, const Catalogue& catalogue, Problems& problems) {
  return fill_with(config, false, catalogue, problems);
}

namespace {

bool has_pretraining(const Config& config) {
  const Node* own = config.find("pretraining");
  return own != nullptr && own->is_object() && !own->as_object().empty();
}

}  // namespace

Config with_pretraining(const Config& filled) {
  Config config = merge(default_pretraining_config(), filled);
  const Node* pipeline = filled.find("nlp.pipeline");
  if (has_pretraining(filled) || pipeline == nullptr || !pipeline->is_list()) return config;
  if (filled.find("components.tok2vec") != nullptr) return config;
  for (const Node& name : pipeline->as_list()) {
    if (!name.is_string()) continue;
    if (filled.find("components." + name.as_string() + ".model.tok2vec") == nullptr) continue;
    Object& settings = config.find("pretraining")->as_object();
    settings.set("component", name.as_string());
    settings.set("layer", "tok2vec");
    break;
  }
  return config;
}

void override_pipeline_config(Config& config, const Overrides& overrides,
                              const Catalogue& catalogue, Problems& problems) {
  const auto complete = [&](const Config& incomplete, bool all) {
    Problems unwanted;  // of the config before all overrides, which may repair it
    return fill_with(incomplete, all, catalogue, unwanted);
  };
  if (!overrides.empty()) apply_command_overrides(config, overrides, complete, problems);
}

// Overrides go into the file's own tree before anything is filled: a function that one of them
// names brings its own defaults, not those of the function it replaces.
Config load_pipeline_config(const std::filesystem::path& file, const Overrides& overrides,
                            const Catalogue& catalogue, Problems& problems,
                            bool completes_pretraining) {
  Config config = read_config_file(file, problems, {.interpolate = false, .single_dollars = true});
  if (has_errors(problems)) return config;
  if (completes_pretraining && has_pretraining(config)) {
    config = merge(default_pretraining_config(), config);
  }
  override_pipeline_config(config, overrides, catalogue, problems);
  return fill_pipeline_config(config, catalogue, problems);
}

Config expanded(const Config& config) {
  Problems problems;
  Config result = interpolate(config, problems);
  if (has_errors(problems)) throw Error(ErrorKind::config, std::move(problems));
  return result;
}

std::string config_text(const Config& config) {
  Problems problems;
  std::string text = write_cfg(config, problems);
  if (has_errors(problems)) throw Error(ErrorKind::config, std::move(problems));
  return text;
}

}  // namespace weft
