// Changes parameters by their gradients. Per array: clip by its own norm, a step of the rule,
// weight decay, a running average. Named by `@optimizers`. Source: docs/ner-model.md, section 4;
// the rules are in components/optimizers.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "framework/nn/parameter.h"
#include "framework/ops/context.h"
#include "framework/ops/optimizer_arrays.h"
#include "framework/ops/optimizer_step.h"
#include "framework/ops/task_runner.h"
#include "framework/training/schedule.h"
#include "registry/type.h"

namespace weft {

class DeviceWeights;

// A parameter and the name that it has in checkpoints: "ner/3/linear/W".
struct NamedParameter {
  std::string name;
  Parameter* parameter = nullptr;
};

struct OptimizerSettings {
  Schedule learn_rate = 0.001;
  Schedule l2 = 0.0;
  Schedule grad_clip = 1.0;
  bool l2_is_weight_decay = true;
  bool use_averages = true;
};

// What the optimizer keeps of one parameter.
struct OptimizerState {
  std::int64_t updates = 0;  // steps since its first gradient
  Tensor mom1;               // empty where the rule has none
  Tensor mom2;
  Tensor average;  // empty unless averages are kept
};

// Some numbers of an array and what belongs to them, f32 and of equal length: what is kept in 16
// bits is widened for the rule and rounded when it is done.
struct ArraySlice {
  View weights;
  ConstView gradient;
  View mom1;  // empty where the rule has none
  View mom2;
};

class WEFT_API Optimizer {
 public:
  explicit Optimizer(OptimizerSettings settings) : settings_(std::move(settings)) {}
  virtual ~Optimizer() = default;
  Optimizer(const Optimizer&) = delete;
  Optimizer& operator=(const Optimizer&) = delete;

  // One update. An array takes part once it has had a gradient, and then in every later step. Looks
  // at all gradients first: throws Error(diverged), with nothing changed, where one holds a NaN or
  // an infinity; the message names the parameter. The work is cut into slices of the arrays, which
  // `run` may spread over threads.
  void step(Context& ctx, std::span<const NamedParameter> parameters, const Gradients& gradients,
            const TaskRunner& run = run_in_order);
  // The schedules advance: once after each update, not once per component.
  void advance() { ++schedule_step_; }

  // The learn rate of the next update.
  double learn_rate() const { return settings_.learn_rate(schedule_step_); }
  const OptimizerSettings& settings() const { return settings_; }
  bool keeps_averages() const { return settings_.use_averages; }
  // Exchanges values and averages of the parameters that have one; twice is as if never. On a
  // device its copies of the weights are exchanged.
  void swap_averages(std::span<const NamedParameter> parameters);

  // From now on steps run where these weights lie, and what is kept of a parameter moves there with
  // its next step. Null: the CPU.
  void use(std::shared_ptr<DeviceWeights> weights);

  // From the next step on, moments are kept in this 16-bit format, the second as its root, and eps
  // is at least `least_eps`.
  void keep_low_moments(DType type, double least_eps) {
    moment_type_ = type;
    least_eps_ = least_eps;
  }
  // What the rule adds to a divisor, as the config says; 0 where it has none.
  virtual double eps() const { return 0.0; }

  // ---- for checkpoints
  std::int64_t schedule_step() const { return schedule_step_; }
  void set_schedule_step(std::int64_t step) { schedule_step_ = step; }
  const std::map<std::string, OptimizerState>& states() const { return states_; }
  // The same on the host, whatever the device.
  std::map<std::string, OptimizerState> states_on_host() const;
  void set_state(const std::string& name, OptimizerState state) {
    states_[name] = std::move(state);
  }

 protected:
  // The rule for the next update of an array, if it is one of those that backends have. `updates`
  // counts the array's, this one included. `scalars` has clip, l2 and decay; the rule adds its own.
  virtual std::optional<StepRule> rule(std::int64_t updates, StepScalars& scalars) const;
  // Updates a slice by the rule, every number by itself: one array's slices are updated at the same
  // time. An optimizer with a rule of its own overrides it and gives no `rule`; on a device it is
  // called array by array, where moments in 16 bits are refused: Error(config).
  virtual void apply(Context& ctx, const ArraySlice& slice, std::int64_t updates,
                     StepScalars scalars) const;
  // How many moments the rule keeps, 0 or 2.
  virtual int moments() const { return 2; }
  double least_eps() const { return least_eps_; }

 private:
  struct Planned;
  struct Slice;
  std::vector<Planned> plan(std::span<const NamedParameter> parameters,
                            const Gradients& gradients) const;
  void clip(Context& ctx, std::vector<Planned>& all, std::span<const Slice> slices,
            const TaskRunner& run) const;
  void prepare(Planned& planned);
  void update(Context& ctx, const Slice& slice) const;
  float average_rate(const OptimizerState& state) const;
  void step_on_device(Context& ctx, std::vector<Planned>& all, const Gradients& gradients);
  void clip_on_device(Context& ctx, std::vector<Planned>& all, const Gradients& gradients) const;
  std::optional<StepArray> array_of(const Planned& planned) const;
  void apply_on_device(Context& ctx, const Planned& planned) const;
  void clip_to(Planned& planned, double squares) const;

  OptimizerSettings settings_;
  DType moment_type_ = DType::f32;
  double least_eps_ = 0.0;
  std::int64_t schedule_step_ = 0;
  std::map<std::string, OptimizerState> states_;
  std::shared_ptr<DeviceWeights> device_;  // null: the CPU
};
using OptimizerPtr = std::shared_ptr<Optimizer>;

template <>
struct ProductTraits<OptimizerPtr> {
  static constexpr std::string_view kind = "optimizers", name = "optimizer";
};

}  // namespace weft
