#include "framework/pipeline/component_choice.h"

#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "framework/pipeline/component_name.h"
#include "registry/base/error.h"
#include "registry/base/suggest.h"
#include "registry/variables/interpolate.h"

namespace weft {
namespace {

constexpr std::string_view kComponents = "components.";

// The names of a list in [nlp]. Variables may stand for it; their faults are told elsewhere.
std::vector<std::string> names_at(const Config& config, std::string_view path) {
  Problems unused;
  const Config values = interpolate(config, unused);
  std::vector<std::string> names;
  const Node* list = values.find(path);
  if (list == nullptr || !list->is_list()) return names;
  for (const Node& name : list->as_list()) {
    if (name.is_string()) names.push_back(name.as_string());
  }
  return names;
}

void set_names(Config& config, std::string_view key, const std::vector<std::string>& names) {
  Node* nlp = config.find("nlp");
  if (nlp == nullptr || !nlp->is_object()) return;
  Node list(List(names.begin(), names.end()));
  if (const Node* old = nlp->as_object().find(key)) list.origin = old->origin;
  nlp->as_object().set(key, std::move(list));
}

void check_names(const std::vector<std::string>& names, const char* word,
                 const std::vector<std::string>& pipeline) {
  for (const std::string& name : names) {
    if (names_contain(pipeline, name)) continue;
    throw Error(ErrorKind::usage, fmt::format("{}: the pipeline has no component '{}'; it has {}",
                                              word, name, join_or(pipeline)));
  }
}

void check_contradictions(const ComponentChoice& choice) {
  for (const std::string& name : choice.enable) {
    const bool excluded = names_contain(choice.exclude, name);
    if (!excluded && !names_contain(choice.disable, name)) continue;
    throw Error(ErrorKind::usage, fmt::format("the component '{}' is to be enabled and {}", name,
                                              excluded ? "excluded" : "disabled"));
  }
}

}  // namespace

void choose_components(Config& config, const ComponentChoice& choice) {
  if (choice.exclude.empty() && choice.disable.empty() && choice.enable.empty()) return;
  const std::vector<std::string> all = names_at(config, "nlp.pipeline");
  check_names(choice.exclude, "exclude", all);
  check_names(choice.disable, "disable", all);
  check_names(choice.enable, "enable", all);
  check_contradictions(choice);
  const std::vector<std::string> disabled_before = names_at(config, "nlp.disabled");
  std::vector<std::string> pipeline;
  std::vector<std::string> disabled;
  for (const std::string& name : all) {
    if (names_contain(choice.exclude, name)) continue;
    const bool runs = choice.enable.empty() ? !names_contain(choice.disable, name) &&
                                                  !names_contain(disabled_before, name)
                                            : names_contain(choice.enable, name);
    if (!runs && !choice.read_disabled) continue;
    pipeline.push_back(name);
    if (!runs) disabled.push_back(name);
  }
  set_names(config, "pipeline", pipeline);
  set_names(config, "disabled", disabled);
}

Problems of_components_in_use(Problems problems, const Config& config) {
  const std::vector<std::string> pipeline = names_at(config, "nlp.pipeline");
  std::erase_if(problems, [&](const Problem& problem) {
    if (!problem.path.starts_with(kComponents)) return false;
    const std::string below = problem.path.substr(kComponents.size());
    return !names_contain(pipeline, below.substr(0, below.find('.')));
  });
  return problems;
}

}  // namespace weft
