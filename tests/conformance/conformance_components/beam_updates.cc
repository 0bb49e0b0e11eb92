#include "tests/conformance/conformance_components/beam_updates.h"

#include <cstddef>
#include <stdexcept>
#include <vector>

namespace weft::conformance {
namespace {

// Suggested with the records.
constexpr double kAnalysisLimit = 1e-4;

void check_analyses(const std::vector<LearntAnalysis>& found, const Json& wanted,
                    const std::string& record, Checks& checks) {
  Json actions = Json::array(), gradients = Json::array();
  Json wanted_actions = Json::array(), wanted_gradients = Json::array();
  for (const LearntAnalysis& one : found) {
    actions.push_back(one.classes);
    gradients.push_back(one.gradient);
  }
  for (const Json& one : wanted) {
    wanted_actions.push_back(one.at("actions"));
    wanted_gradients.push_back(one.at("gradient"));
  }
  checks.equal(record, "actions", actions, wanted_actions);
  checks.near(record, "gradient", gradients, wanted_gradients, kAnalysisLimit);
}

}  // namespace

TransitionComponent& prepare_beam_update(Language& nlp, const Json& record, ShardRunner& runner) {
  const auto name = record.at("component").get<std::string>();
  auto* component = dynamic_cast<TransitionComponent*>(nlp.find(name));
  if (component == nullptr) throw std::runtime_error("no component takes part in the update");
  if (component->beam().width != record.at("beam_width").get<int>()) {
    throw std::runtime_error("the beam of the pipeline is not that of the record");
  }
  component->keep_traces(true);
  std::vector<std::string> others;
  for (const NamedComponent& one : nlp.pipeline()) {
    const bool parses = dynamic_cast<TransitionComponent*>(one.component.get()) != nullptr;
    if (parses && one.name != name) others.push_back(one.name);
  }
  runner.choose(others, {});
  runner.replay_uniform([](std::string_view, double low, double) { return low; });
  return *component;
}

void shift_parameters(const std::map<std::string, Parameter*>& parameters,
                      const SafeTensors& tensors) {
  for (const auto& [name, parameter] : parameters) {
    const std::string key = "shift/" + name;
    if (!tensors.contains(key)) continue;
    const Tensor shift = tensors.tensor(key);
    float* to = parameter->value.data<float>();
    for (std::int64_t i = 0; i < shift.size(); ++i) to[i] += shift.data<float>()[i];
  }
}

void check_beam_update(const TransitionComponent& component, const Json& record, Checks& checks) {
  const BeamTrace trace = component.beam_traces().at(0);
  checks.equal("beams", "states_per_step", trace.states_per_step, record.at("states_per_step"));
  checks.equal("beams", "steps_with_gradient", trace.steps_with_gradient,
               record.at("steps_with_gradient"));
  const Json& violations = record.at("violations");
  checks.equal("beams", "documents", trace.learnt.size(), violations.size());
  for (std::size_t i = 0; i < std::min(trace.learnt.size(), violations.size()); ++i) {
    check_analyses(trace.learnt[i], violations.at(i), "violation " + std::to_string(i), checks);
  }
}

}  // namespace weft::conformance
