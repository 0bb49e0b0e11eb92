// Unscale, clip, step: in this order. Needs the optimizers only where a record is about them.
#include <cmath>
#include <limits>

#include "framework/precision/loss_scaler.h"
#include "framework/precision/unscale.h"
#include "tests/conformance/conformance_precision/replay.h"

namespace replay {
namespace {

using weft::LossScaler;
using Arrays = std::vector<std::vector<float>>;

std::vector<float> flattened(const json& values) {
  if (!values.is_array()) return {static_cast<float>(number(values))};
  std::vector<float> flat;
  for (const json& value : values) {
    const std::vector<float> part = flattened(value);
    flat.insert(flat.end(), part.begin(), part.end());
  }
  return flat;
}

Arrays arrays(const json& values) {
  Arrays result;
  for (const json& value : values) result.push_back(flattened(value));
  return result;
}

LossScaler scaler_of(const json& record) {
  weft::LossScalerSettings settings;
  settings.init_scale = number(record.at("init_scale"));
  settings.growth_interval = record.at("growth_interval");
  settings.min_scale = 0.0;
  settings.max_scale = std::numeric_limits<double>::infinity();
  return LossScaler(settings);
}

// Checks and unscales all gradients, then clips them by their common norm.
struct ClippedStep {
  Arrays gradients;
  bool finite = true;
  double norm = 0.0;

  ClippedStep(Arrays scaled, float inverse, const json& max_norm) : gradients(std::move(scaled)) {
    weft::GradientCheck check;
    for (auto& gradient : gradients) check += weft::check_and_unscale(gradient, inverse);
    finite = check.finite;
    norm = std::sqrt(check.sum_of_squares);
    if (!finite || max_norm.is_null()) return;
    const float coefficient = weft::clip_coefficient(norm, number(max_norm));
    for (auto& gradient : gradients) {
      for (float& value : gradient) value *= coefficient;
    }
  }
};

Arrays scaled_gradients(const json& record, std::size_t step, float scale) {
  Arrays gradients = arrays(record.at("unscaled_grads").at(step));
  for (auto& gradient : gradients) {
    for (float& value : gradient) value *= scale;
  }
  for (const json& overflow : record.at("overflow_steps")) {
    if (overflow.get<std::size_t>() != step) continue;
    gradients[0][0] = std::numeric_limits<float>::infinity();
  }
  return gradients;
}

void check_step(const ClippedStep& step, const json& row, const std::string& at, Faults& faults) {
  faults.expect(!step.finite, row.at("found_inf").get<bool>(), "found_inf" + at);
  faults.expect(step.finite, row.at("applied").get<bool>(), "applied" + at);
  if (!step.finite) return;  // nothing is clipped
  const double norm = number(row.at("total_norm"));
  faults.expect_near(step.norm, norm, 1e-6 * std::max(1.0, norm), "norm" + at);
  const Arrays clipped = arrays(row.at("clipped_grads"));
  for (std::size_t i = 0; i < clipped.size(); ++i) {
    faults.expect_all_near(step.gradients[i], json(clipped[i]), 1e-6,
                           fmt::format("clipped gradient {}{}", i, at));
  }
}

void apply_sgd(Arrays& weights, const Arrays& gradients, float rate) {
  for (std::size_t i = 0; i < weights.size(); ++i) {
    for (std::size_t j = 0; j < weights[i].size(); ++j) weights[i][j] -= rate * gradients[i][j];
  }
}

void check_weights(const Arrays& weights, const json& recorded, const std::string& what,
                   Faults& faults) {
  const Arrays expected = arrays(recorded);
  for (std::size_t i = 0; i < expected.size(); ++i) {
    faults.expect_all_near(weights[i], json(expected[i]), 1e-6, fmt::format("{} {}", what, i));
  }
}

// The scales and clipped gradients of every record, and the weights of those that use plain SGD.
void check_clipping(const json& record, Tally& tally) {
  const std::string name = "adam_unscale_clip " + record.at("name").get<std::string>();
  const bool is_sgd = record.at("optimizer") == "SGD";
  const auto rate = static_cast<float>(number(record.at("hyper").at("lr")));
  LossScaler scaler = scaler_of(record);
  Arrays weights = arrays(record.at("weights"));
  Faults faults;
  for (std::size_t i = 0; i < record.at("rows").size(); ++i) {
    const json& row = record.at("rows").at(i);
    const std::string at = fmt::format(" of step {}", i);
    const ClippedStep step(scaled_gradients(record, i, scaler.scale()), scaler.inverse_scale(),
                           record.at("max_norm"));
    check_step(step, row, at, faults);
    if (is_sgd && step.finite) apply_sgd(weights, step.gradients, rate);
    if (is_sgd) check_weights(weights, row.at("weights"), "weights" + at, faults);
    const weft::GradientStatus status = status_of(step.finite);
    scaler.update({&status, 1});
    faults.expect_near(scaler.scale(), number(row.at("scale_after")), 0.0, "scale" + at);
  }
  tally.record(name + (is_sgd ? "" : " (unscale and clip)"), faults.list());
  if (!is_sgd)
    tally.skip("adam_unscale_clip", "weights under Adam: the optimizer is not built yet");
}

}  // namespace

void replay_optimizers(const std::filesystem::path& folder, Tally& tally) {
  for_each_record(folder / "adam_unscale_clip.json", "cases", tally,
                  [&](const json& record) { check_clipping(record, tally); });
  for_each_record(folder / "thinc_adam_skip.json", "cases", tally, [&](const json&) {
    tally.skip("thinc_adam_skip", "the optimizer is not built yet");
  });
  for_each_record(folder / "levels_small_net.json", "cases", tally, [&](const json& record) {
    for (const auto& level : record.at("levels").items()) {
      tally.skip("levels_small_net", "training under " + level.key() + " is not built yet");
    }
  });
}

}  // namespace replay
