// Unscale, clip, step: in this order, with our optimizers.
#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>

#include "framework/precision/divergence.h"
#include "framework/precision/loss_scaler.h"
#include "framework/precision/unscale.h"
#include "framework/training/optimizer.h"
#include "tests/conformance/conformance_precision/replay.h"
#include "tests/conformance/conformance_precision/trained.h"

namespace replay {
namespace {

using weft::LossScaler;
using Arrays = std::vector<std::vector<float>>;

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
    double squares = 0.0;
    for (auto& gradient : gradients) {
      finite = weft::check_and_unscale(gradient, inverse) && finite;
      for (const double value : gradient) squares += value * value;
    }
    norm = std::sqrt(squares);
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

// Parameters under one of our optimizers.
class Trained {
 public:
  Trained(const weft::Object& optimizer, const Arrays& weights) {
    optimizer_ = built_optimizer(optimizer);
    for (const auto& values : weights) add(values);
  }

  // The gradients are ready for the step: unscaled and clipped.
  void step(const Arrays& gradients) {
    weft::Gradients sums;
    for (std::size_t i = 0; i < gradients.size(); ++i) {
      std::copy(gradients[i].begin(), gradients[i].end(), sums.of(*parameters_[i]).data<float>());
    }
    optimizer_->step(context_, named(), sums);
  }

  // Decoupled decay as PyTorch places it: before the step.
  void decay(float factor) {
    for (auto& parameter : parameters_) {
      float* values = parameter->value.data<float>();
      for (std::int64_t i = 0; i < parameter->value.size(); ++i) values[i] *= factor;
    }
  }

  weft::Optimizer& optimizer() { return *optimizer_; }
  std::vector<float> weights(std::size_t i) const { return values_of(parameters_[i]->value); }
  const weft::OptimizerState* state(std::size_t i) const {
    const auto found = optimizer_->states().find(std::to_string(i));
    return found == optimizer_->states().end() ? nullptr : &found->second;
  }
  static std::vector<float> values_of(const weft::Tensor& tensor) {
    return {tensor.data<float>(), tensor.data<float>() + tensor.size()};
  }

 private:
  void add(const std::vector<float>& values) {
    auto& parameter = parameters_.emplace_back(std::make_unique<weft::Parameter>());
    parameter->name = std::to_string(parameters_.size() - 1);
    parameter->value = weft::Tensor::zeros({static_cast<std::int64_t>(values.size())});
    std::copy(values.begin(), values.end(), parameter->value.data<float>());
  }

  std::vector<weft::NamedParameter> named() const {
    std::vector<weft::NamedParameter> all;
    for (const auto& parameter : parameters_) all.push_back({parameter->name, parameter.get()});
    return all;
  }

  weft::Context context_;
  weft::OptimizerPtr optimizer_;
  std::vector<std::unique_ptr<weft::Parameter>> parameters_;
};

// Our optimizer for a record of PyTorch's: no clipping of its own, no averages.
weft::Object pytorch_optimizer(const json& record) {
  const json& hyper = record.at("hyper");
  const bool is_sgd = record.at("optimizer") == "SGD";
  weft::Object block;
  block.set("@optimizers", is_sgd ? "SGD.v1" : "Adam.v1");
  block.set("learn_rate", number(hyper.at("lr")));
  block.set("grad_clip", 0.0);
  block.set("use_averages", false);
  if (is_sgd) return block;
  block.set("beta1", number(hyper.at("betas").at(0)));
  block.set("beta2", number(hyper.at("betas").at(1)));
  block.set("eps", number(hyper.at("eps")));
  if (record.at("optimizer") == "Adam") {
    block.set("L2", number(hyper.at("weight_decay")));
    block.set("L2_is_weight_decay", false);
  }
  return block;
}

float decay_of(const json& record) {
  if (record.at("optimizer") != "AdamW") return 1.0F;
  const json& hyper = record.at("hyper");
  return static_cast<float>(1.0 - number(hyper.at("lr")) * number(hyper.at("weight_decay")));
}

void check_weights(const Trained& trained, const json& recorded, const std::string& at,
                   Faults& faults) {
  for (std::size_t i = 0; i < recorded.size(); ++i) {
    const json expected = flattened(recorded.at(i));
    faults.expect_all_near(trained.weights(i), expected, 1e-6, fmt::format("weights {}{}", i, at));
  }
}

// A skipped step does not count for the bias correction. PyTorch's plain SGD does not count.
void check_counters(const Trained& trained, const json& record, const json& row,
                    const std::string& at, Faults& faults) {
  if (record.at("optimizer") == "SGD") return;
  for (std::size_t i = 0; i < row.at("opt_step").size(); ++i) {
    const weft::OptimizerState* state = trained.state(i);
    faults.expect(state == nullptr ? 0 : state->updates,
                  row.at("opt_step").at(i).get<std::int64_t>(), "updates" + at);
  }
}

void check_clipping(const json& record, Tally& tally) {
  LossScaler scaler = scaler_of(record);
  Trained trained(pytorch_optimizer(record), arrays(record.at("weights")));
  Faults faults;
  for (std::size_t i = 0; i < record.at("rows").size(); ++i) {
    const json& row = record.at("rows").at(i);
    const std::string at = fmt::format(" of step {}", i);
    const ClippedStep step(scaled_gradients(record, i, scaler.scale()), scaler.inverse_scale(),
                           record.at("max_norm"));
    check_step(step, row, at, faults);
    if (step.finite) {
      trained.decay(decay_of(record));
      trained.step(step.gradients);
    }
    check_weights(trained, row.at("weights"), at, faults);
    check_counters(trained, record, row, at, faults);
    const weft::GradientStatus status = status_of(step.finite);
    scaler.update({&status, 1});
    faults.expect_near(scaler.scale(), number(row.at("scale_after")), 0.0, "scale" + at);
  }
  tally.record("adam_unscale_clip " + record.at("name").get<std::string>(), faults);
}

// The classic mistake: clip what is still scaled. It has to give what is recorded for it, which is
// not what the right order gives. Adam hides the difference.
void check_wrong_order(const json& record, Tally& tally) {
  if (record.at("optimizer") != "SGD" || !record.contains("wrong_order_final_weights")) return;
  LossScaler scaler = scaler_of(record);
  Trained trained(pytorch_optimizer(record), arrays(record.at("weights")));
  for (std::size_t i = 0; i < record.at("rows").size(); ++i) {
    ClippedStep step(scaled_gradients(record, i, scaler.scale()), 1.0F, record.at("max_norm"));
    for (auto& gradient : step.gradients) {
      weft::check_and_unscale(gradient, scaler.inverse_scale());
    }
    if (step.finite) trained.step(step.gradients);
    const weft::GradientStatus status = status_of(step.finite);
    scaler.update({&status, 1});
  }
  Faults right;
  check_weights(trained, record.at("rows").back().at("weights"), "", right);
  Faults faults;
  check_weights(trained, record.at("wrong_order_final_weights"), "", faults);
  faults.note_compared();
  if (right.list().empty()) faults.add("the wrong order gives the weights of the right one");
  tally.record("adam_unscale_clip wrong order of " + record.at("name").get<std::string>(), faults);
}

weft::Object thinc_optimizer(const json& hyper) {
  weft::Object block;
  block.set("@optimizers", "Adam.v1");
  for (const auto& [key, value] : hyper.items()) {
    block.set(key, value.is_boolean() ? weft::Node(value.get<bool>()) : weft::Node(number(value)));
  }
  return block;
}

void expect_relative(const std::vector<float>& got, const json& recorded, const std::string& what,
                     Faults& faults) {
  for (std::size_t i = 0; i < recorded.size(); ++i) {
    const double expected = number(recorded[i]);
    faults.expect_near(got.at(i), expected, 1e-5 * std::fabs(expected), what);
  }
}

// A skipped step does not reach the optimizer, yet the schedules advance, as in spaCy's loop.
void check_skipping(const json& record, Tally& tally) {
  Trained trained(thinc_optimizer(record.at("hyper")), {flattened(record.at("weights"))});
  const auto skipped = record.at("skipped_steps").get<std::vector<std::size_t>>();
  Faults faults;
  for (std::size_t i = 0; i < record.at("rows").size(); ++i) {
    const json& row = record.at("rows").at(i);
    const std::string at = fmt::format(" of step {}", i);
    const bool applied = std::find(skipped.begin(), skipped.end(), i) == skipped.end();
    if (applied) trained.step({flattened(record.at("unscaled_grads").at(i))});
    const weft::ClocksMoved moved = weft::clocks_moved(applied, weft::OnSkip::advance);
    if (moved.schedules) trained.optimizer().advance();
    const weft::OptimizerState* state = trained.state(0);
    faults.expect(applied, row.at("applied").get<bool>(), "applied" + at);
    faults.expect(state == nullptr ? 0 : state->updates, row.at("nr_update").get<std::int64_t>(),
                  "updates" + at);
    faults.expect(trained.optimizer().schedule_step(), row.at("schedule_steps").get<std::int64_t>(),
                  "schedule steps" + at);
    expect_relative(trained.weights(0), row.at("weights"), "weight" + at, faults);
    if (state == nullptr || !state->average || !row.at("average").is_array()) continue;
    expect_relative(Trained::values_of(state->average), row.at("average"), "average" + at, faults);
  }
  tally.record("thinc_adam_skip " + record.at("name").get<std::string>(), faults);
}

}  // namespace

void replay_optimizers(const std::filesystem::path& folder, Tally& tally) {
  for_each_record(folder / "adam_unscale_clip.json", "cases", tally, [&](const json& record) {
    check_clipping(record, tally);
    check_wrong_order(record, tally);
  });
  for_each_record(folder / "thinc_adam_skip.json", "cases", tally,
                  [&](const json& record) { check_skipping(record, tally); });
}

}  // namespace replay
