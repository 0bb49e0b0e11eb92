#include "framework/pipeline/load_config.h"

#include <cstdlib>
#include <utility>

#include "framework/pipeline/check_config.h"
#include "framework/pipeline/default_config.h"
#include "framework/pipeline/score_weights.h"
#include "framework/pipeline/settings.h"
#include "registry/cfg_reader.h"
#include "registry/error.h"
#include "registry/interpolate.h"
#include "registry/merge.h"
#include "registry/resolve.h"

namespace weft {
namespace {

// The section of `config` that holds the last part of `path`, made where it is missing: as it is in
// `filled`, so that a function's other arguments stay beside the one that is replaced.
Object* holder_of(Config& config, const Config& filled, std::string_view path) {
  Object* object = &config.root();
  for (std::size_t start = 0;;) {
    const std::size_t dot = path.find('.', start);
    if (dot == std::string_view::npos) return object;
    const std::string_view key = path.substr(start, dot - start);
    Node* node = object->find(key);
    if (node == nullptr) {
      const bool replaces_function = path.substr(path.rfind('.') + 1).starts_with('@');
      const Node* known = replaces_function ? nullptr : filled.find(path.substr(0, dot));
      node = &object->set(key, known != nullptr && known->is_object() ? *known : Node(Object()));
      node->declared = true;
    }
    if (!node->is_object()) return nullptr;  // a section given by a variable
    object = &node->as_object();
    start = dot + 1;
  }
}

void set_value(Config& config, const Config& filled, const std::string& name, const Node& value,
               Problems& problems) {
  Object* holder = holder_of(config, filled, name);
  if (holder == nullptr) {
    Problem problem;
    problem.kind = ProblemKind::unknown_override;
    problem.place = value.origin;
    problem.path = name;
    problem.message =
        "lies in a section that a variable stands for; override it where that section is written";
    problems.push_back(std::move(problem));
    return;
  }
  const std::string key = name.substr(name.rfind('.') + 1);
  const Node* old = holder->find(key);
  if (old == nullptr) old = filled.find(name);
  const auto replaced = old == nullptr ? nullptr : std::make_shared<const Node>(*old);
  Node& stored = holder->set(key, value);
  if (!stored.replaced) stored.replaced = replaced;
  stored.kept_raw = value.is_string() && value.as_string().find("${") != std::string::npos;
}

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
  Config merged = merge(default_config(), config);
  check_pipeline_names(merged, problems);
  const FillOptions options{.validate = true, .report_unknown = true, .keep_variables = true};
  Config filled = fill(merged, catalogue, pipeline_schemas(), problems, options);
  fill_score_weights(filled, catalogue);
  filled.trailing_comments = config.trailing_comments;
  return filled;
}

void override_pipeline_config(Config& config, const Overrides& overrides,
                              const Catalogue& catalogue, Problems& problems) {
  if (overrides.empty()) return;
  Problems unwanted;  // of the config before the overrides, which may repair it
  const Config filled = fill_pipeline_config(config, catalogue, unwanted);
  check_overrides(filled, overrides, problems);
  for (const auto& [name, value] : overrides) {
    if (filled.find(name) != nullptr) set_value(config, filled, name, value, problems);
  }
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

}  // namespace weft
