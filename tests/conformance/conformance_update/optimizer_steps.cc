#include "tests/conformance/conformance_update/optimizer_steps.h"

#include <fmt/format.h>

#include "tests/conformance/updates/adam.h"
#include "tests/conformance/updates/arrays.h"

namespace weft::conformance {

namespace {

// Suggested with the records, whose gradients are given.
constexpr double kNormLimit = 5e-6;

void compare_all(Replay& replay, const std::string& prefix, const SafeTensors& tensors,
                 Faults& faults) {
  for (const auto& [name, parameter] : replay.parameters()) {
    const std::string key = prefix + name;
    if (!tensors.contains(key)) continue;
    const auto fault = weights_fault(tensors.tensor(key), parameter->value, kNormLimit);
    if (fault) faults.push_back(key + ": " + *fault);
  }
}

}  // namespace

void check_optimizer_steps(Replay& replay, const nlohmann::json& json, const SafeTensors& tensors,
                           const Catalogue& catalogue, Faults& faults) {
  const OptimizerPtr optimizer = adam_of(json.at("optimizer"), catalogue);
  std::vector<NamedParameter> parameters;
  for (const auto& [name, parameter] : replay.parameters()) {
    if (parameter->value) parameters.push_back({name, parameter});
  }
  Context ctx;
  int step = 0;
  for (const nlohmann::json& update : json.at("steps")) {
    const UpdateRecord record = update_record(update);
    replay.run(record, tensors, faults);
    replay.compare_gradients(record, tensors, faults);
    optimizer->step(ctx, parameters, replay.gradients());
    optimizer->advance();
    replay.clear();
    compare_all(replay, fmt::format("weights_after_{}/", ++step), tensors, faults);
  }
  optimizer->swap_averages(parameters);
  compare_all(replay, fmt::format("average_after_{}/", step), tensors, faults);
}

}  // namespace weft::conformance
