// Overflows that arise by themselves in 16-bit gradients, and scalers shared by several optimizers.
#include <algorithm>
#include <map>
#include <set>

#include "framework/precision/convert.h"
#include "framework/precision/loss_scaler.h"
#include "framework/precision/unscale.h"
#include "tests/conformance/conformance_precision/replay.h"

namespace replay {
namespace {

using weft::GradientStatus;
using weft::LossScaler;

// A weight trained with gradients that are scaled in f32 and stored in 16 bits, as a layer would
// leave them.
class LowGradients {
 public:
  explicit LowGradients(const json& record)
      : format_(format_named(record.at("storage"))),
        rate_(static_cast<float>(number(record.at("lr")))),
        scaler_(pytorch_settings(record.at("params"))),
        weights_(record.at("grads").at(0).size(), 0.0F) {}

  void step(const std::vector<float>& gradient, const json& row, const std::string& at,
            Faults& faults) {
    std::vector<float> unscaled = gradient;
    for (float& value : unscaled) value *= scaler_.scale();
    std::vector<std::uint16_t> stored(unscaled.size());
    weft::narrow(format_, unscaled, stored);
    faults.expect(stored, bits16(row.at("grad16")), "16-bit gradient" + at);
    const float inverse = scaler_.inverse_scale();
    weft::widen(format_, stored, unscaled);
    const bool finite = weft::check_and_unscale(unscaled, inverse);
    faults.expect(!finite, row.at("found_inf").get<bool>(), "found_inf" + at);
    const auto zeros = std::count(unscaled.begin(), unscaled.end(), 0.0F);
    faults.expect(zeros, row.at("zeros").get<std::ptrdiff_t>(), "zeros" + at);
    for (std::size_t i = 0; finite && i < unscaled.size(); ++i) weights_[i] -= rate_ * unscaled[i];
    const GradientStatus status = status_of(finite);
    scaler_.update({&status, 1});
    faults.expect_all_near(unscaled, row.at("unscaled"), 1e-6, "unscaled" + at);
    faults.expect_all_near(weights_, row.at("param"), 1e-6, "weight" + at);
    faults.expect_near(scaler_.scale(), number(row.at("scale_after")), 0.0, "scale" + at);
    faults.expect(scaler_.state().growth_tracker, row.at("growth_tracker").get<int>(),
                  "tracker" + at);
  }

 private:
  weft::NumberFormat format_;
  float rate_;
  LossScaler scaler_;
  std::vector<float> weights_;
};

void check_natural_overflow(const json& record, Tally& tally) {
  LowGradients run(record);
  Faults faults;
  for (std::size_t step = 0; step < record.at("rows").size(); ++step) {
    run.step(floats(record.at("grads").at(step)), record.at("rows").at(step),
             fmt::format(" of step {}", step), faults);
  }
  tally.record("scaler_natural_overflow " + record.at("name").get<std::string>(), faults);
}

// Several optimizers with one scaler; each parameter has two elements.
class Optimizers {
 public:
  explicit Optimizers(const json& record)
      : rate_(static_cast<float>(number(record.at("lr")))),
        scaler_(pytorch_settings(record.at("params"))) {
    for (const auto& [name, parameters] : record.at("optimizers").items()) {
      optimizers_[name] = parameters.get<std::vector<std::string>>();
      for (const std::string& parameter : optimizers_[name]) weights_[parameter] = {0.0F, 0.0F};
    }
  }

  void step(const json& row, Faults& faults) {
    faults.expect_near(scaler_.scale(), number(row.at("scale")), 0.0, "scale before");
    auto gradients = accumulated(row.at("microbatches"));
    std::vector<GradientStatus> statuses;
    std::set<std::string> changed;
    for (const auto& [name, parameters] : optimizers_) {
      statuses.push_back(check(parameters, gradients));
      check_flag(row.at("found_inf").at(name), statuses.back(), name, faults);
      if (statuses.back() == GradientStatus::finite) apply(parameters, gradients, changed);
    }
    scaler_.update(statuses);
    faults.expect_near(scaler_.scale(), number(row.at("scale_after")), 0.0, "scale after");
    faults.expect(scaler_.state().growth_tracker, row.at("growth_tracker").get<int>(), "tracker");
    for (const auto& [name, weights] : weights_) {
      faults.expect(changed.contains(name), row.at("changed").at(name).get<bool>(),
                    "change of " + name);
      faults.expect_all_near(weights, row.at("params").at(name), 0.0, name);
    }
  }

 private:
  using Gradients = std::map<std::string, std::vector<float>>;

  // Sums of the scaled gradients of all micro-batches.
  Gradients accumulated(const json& batches) const {
    Gradients sums;
    for (const json& batch : batches) {
      for (const auto& [name, token] : batch.items()) {
        std::vector<float>& sum = sums.try_emplace(name, 2, 0.0F).first->second;
        const float value = static_cast<float>(number(token));
        sum[0] += token.is_string() ? value : value * scaler_.scale();
        sum[1] += token.is_string() ? scaler_.scale() : value * scaler_.scale();
      }
    }
    return sums;
  }

  GradientStatus check(const std::vector<std::string>& parameters, Gradients& gradients) const {
    auto status = GradientStatus::none;
    for (const std::string& name : parameters) {
      const auto gradient = gradients.find(name);
      if (gradient == gradients.end()) continue;
      const bool finite = weft::check_and_unscale(gradient->second, scaler_.inverse_scale());
      if (status != GradientStatus::non_finite) status = status_of(finite);
    }
    return status;
  }

  static void check_flag(const json& recorded, GradientStatus status, const std::string& name,
                         Faults& faults) {
    const json got =
        status == GradientStatus::none ? json() : json(status != GradientStatus::finite);
    faults.expect(got.dump(), recorded.dump(), "found_inf of " + name);
  }

  void apply(const std::vector<std::string>& parameters, const Gradients& gradients,
             std::set<std::string>& changed) {
    for (const std::string& name : parameters) {
      const auto gradient = gradients.find(name);
      if (gradient == gradients.end()) continue;
      std::vector<float>& weights = weights_.at(name);
      for (std::size_t i = 0; i < weights.size(); ++i) weights[i] -= rate_ * gradient->second[i];
      changed.insert(name);
    }
  }

  float rate_;
  LossScaler scaler_;
  std::map<std::string, std::vector<std::string>> optimizers_;
  std::map<std::string, std::vector<float>> weights_;
};

void check_several_optimizers(const json& record, Tally& tally) {
  Optimizers optimizers(record);
  Faults faults;
  for (const json& row : record.at("rows")) optimizers.step(row, faults);
  tally.record("scaler_multi_optimizer " + record.at("name").get<std::string>(), faults);
}

}  // namespace

void replay_overflows(const std::filesystem::path& folder, Tally& tally) {
  for_each_record(folder / "scaler_natural_overflow.json", "cases", tally,
                  [&](const json& record) { check_natural_overflow(record, tally); });
  for_each_record(folder / "scaler_multi_optimizer.json", "cases", tally,
                  [&](const json& record) { check_several_optimizers(record, tally); });
}

}  // namespace replay
