#include "framework/pipeline/load_config.h"

#include <cstdlib>
#include <utility>

#include "framework/pipeline/check_config.h"
#include "framework/pipeline/default_config.h"
#include "framework/pipeline/score_weights.h"
#include "framework/pipeline/settings.h"
#include "registry/base/error.h"
#include "registry/filling/fill.h"
#include "registry/overrides/command_overrides.h"
#include "registry/reading/cfg_reader.h"
#include "registry/value/merge.h"
#include "registry/variables/interpolate.h"
#include "registry/writing/cfg_writer.h"

namespace weft {
namespace {

// The weights that the factories of the pipeline propose, in its order.
std::vector<Object> proposed_weights(const Config& config, const Catalogue& catalogue) {
  std::vector<Object> proposed;
  const Node* pipeline = config.find("nlp.pipeline");
  if (pipeline == nullptr || !pipeline->is_list()) return proposed;
  for (const Node& name : pipeline->as_list()) {
    if (!name.is_string()) continue;
    const Node* factory = config.find("components." + name.as_string() + ".factory");
    if (factory == nullptr || !factory->is_string()) continue;
    const Function* function = catalogue.find("factories", factory->as_string());
    if (function == nullptr || !function->meta().is_object()) continue;
    const Node* weights = function->meta().as_object().find("default_score_weights");
    if (weights != nullptr && weights->is_object()) proposed.push_back(weights->as_object());
  }
  return proposed;
}

void fill_score_weights(Config& config, const Catalogue& catalogue) {
  Node* own = config.find("training.score_weights");
  if (own == nullptr || !own->is_object()) return;
  const std::vector<Object> proposed = proposed_weights(config, catalogue);
  own->value() = combine_score_weights(proposed, own->as_object());
}

Config fill_with(const Config& config, bool all_defaults, const Catalogue& catalogue,
                 Problems& problems) {
  Config merged = merge(default_config(), config);
  check_pipeline_names(merged, problems);
  check_sources(merged, problems);
  const FillOptions options{.validate = true,
                            .report_unknown = true,
                            .keep_variables = true,
                            .all_defaults = all_defaults};
  Config filled = fill(merged, catalogue, pipeline_schemas(), problems, options);
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

void override_pipeline_config(Config& config, const Overrides& overrides,
                              const Catalogue& catalogue, Problems& problems) {
  const auto complete = [&](const Config& incomplete, bool all) {
    Problems unwanted;  // of the config before all overrides, which may repair it
    return fill_with(incomplete, all, catalogue, unwanted);
  };
  if (!overrides.empty()) apply_command_overrides(config, overrides, complete, problems);
}

Config load_pipeline_config(const std::filesystem::path& file, const Overrides& overrides,
                            const Catalogue& catalogue, Problems& problems) {
  Config config = read_config_file(file, problems, {.interpolate = false});
  if (has_errors(problems)) return config;
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
