#include "tests/conformance/conformance_update/optimizer_steps.h"

#include <cmath>

#include <fmt/format.h>

#include "framework/training/optimizer.h"
#include "registry/building/resolve.h"
#include "registry/reading/cfg_reader.h"

namespace weft::conformance {

namespace {

// Suggested with the records: in Euclidean norm per array, and for single values.
constexpr double kNormLimit = 5e-6;
constexpr double kValueLimit = 1e-4;

OptimizerPtr optimizer_of(const nlohmann::json& settings, const Catalogue& catalogue) {
  std::string text = "[optimizer]\n@optimizers = \"Adam.v1\"\n";
  for (const auto& [key, value] : settings.items()) text += key + " = " + value.dump() + "\n";
  Problems problems;
  const Config config = read_cfg(text, "optimizer", problems);
  auto result = resolve_at(config, "optimizer", catalogue, {}, problems);
  OptimizerPtr* optimizer =
      result && result->is_product() ? result->product().get<OptimizerPtr>() : nullptr;
  if (optimizer == nullptr) throw std::runtime_error("Adam.v1 cannot be made");
  return *optimizer;
}

void compare(const std::string& name, const Tensor& expected, const Tensor& found, Faults& faults) {
  double squares = 0, difference = 0, largest = 0;
  for (std::int64_t i = 0; i < expected.size(); ++i) {
    const double value = expected.data<float>()[i];
    const double off = std::abs(value - found.data<float>()[i]);
    squares += value * value;
    difference += off * off;
    largest = std::max(largest, off);
  }
  if (!(std::sqrt(difference) <= kNormLimit * std::sqrt(squares)) || !(largest <= kValueLimit)) {
    faults.push_back(fmt::format("{}: off by {:.2g} of its norm, a value by {:.2g}", name,
                                 std::sqrt(difference / squares), largest));
  }
}

void compare_all(Replay& replay, const std::string& prefix, const SafeTensors& tensors,
                 Faults& faults) {
  for (const auto& [name, parameter] : replay.parameters()) {
    const std::string key = prefix + name;
    if (tensors.contains(key)) compare(key, tensors.tensor(key), parameter->value, faults);
  }
}

}  // namespace

void check_optimizer_steps(Replay& replay, const nlohmann::json& json, const SafeTensors& tensors,
                           const Catalogue& catalogue, Faults& faults) {
  const OptimizerPtr optimizer = optimizer_of(json.at("optimizer"), catalogue);
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
