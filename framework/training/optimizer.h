// Changes parameters by their gradients. Per array: clip by its own norm, a step of the rule,
// weight decay, a running average. Named by `@optimizers`. Source: docs/ner-model.md, section 4;
// the rules are in components/optimizers.
#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "framework/nn/gradients.h"
#include "framework/nn/parameter.h"
#include "framework/ops/context.h"
#include "framework/ops/optimizer_arrays.h"
#include "framework/ops/optimizer_step.h"
#include "framework/tensor/task_runner.h"
#include "framework/training/array_part.h"
#include "framework/training/schedule.h"
#include "framework/training/step_bounds.h"
#include "framework/training/step_peers.h"
#include "registry/base/error.h"
#include "registry/functions/type.h"

namespace weft {

class DeviceWeights;
class WeightCopies;
class WorkerPool;

struct OptimizerSettings {
  Schedule learn_rate = 0.001;
  Schedule l2 = 0.0;
  Schedule grad_clip = 1.0;
  bool l2_is_weight_decay = true;
  bool use_averages = true;
};

// A schedule of a rule's own settings, and the number that its values stay below.
struct RuleSchedule {
  std::string_view name;  // of the setting
  const Schedule* schedule;
  double below = std::numeric_limits<double>::infinity();
};

// The optimizer's state of one parameter.
struct OptimizerState {
  std::int64_t updates = 0;  // steps since its first gradient
  Tensor mom1;               // empty where the rule has none
  Tensor mom2;
  Tensor average;  // empty unless averages are kept
  // The element of the array at which they begin; they have one dimension where they are of a part.
  std::int64_t begin = 0;

  // How large the numbers above and the weights are, so that steps which cannot overflow are known;
  // of the weights as they were at this address and version.
  StepBounds bounds = {};
  const void* bounded_weights = nullptr;
  std::uint64_t bounded_version = 0;

  bool is_bounded(const Parameter& parameter) const {
    return bounded_weights == parameter.value.cview().data && bounded_version == parameter.version;
  }
  void bound(const Parameter& parameter) {
    bounded_weights = parameter.value.cview().data;
    bounded_version = parameter.version;
  }
  // Bounds of the moments and the average, which lie on the host.
  void measure_kept();
};

// A step of which nothing was applied: Error(diverged).
class WEFT_API StepError : public Error {
 public:
  enum class Cause {
    gradient,   // that of the parameter holds a NaN or an infinity
    penalized,  // the same, or its sum with the L2 term does
    step,       // the step would leave one in the parameter, its moments or its average
  };
  StepError(const std::string& parameter, Cause cause);
  const std::string& parameter() const { return parameter_; }
  Cause cause() const { return cause_; }

 private:
  std::string parameter_;
  Cause cause_;
};

// Some numbers of an array and what belongs to them, f32 and of equal length: arrays of 16 bits are
// widened for the rule and rounded when it is done.
struct ArraySlice {
  View weights;
  ConstView gradient;
  View mom1;  // empty where the rule has none
  View mom2;
};

class WEFT_API Optimizer {
 public:
  explicit Optimizer(OptimizerSettings settings);
  virtual ~Optimizer();
  Optimizer(const Optimizer&) = delete;
  Optimizer& operator=(const Optimizer&) = delete;

  // One update. An array takes part once it has had a gradient, and then in every later step.
  // Throws StepError, which names the parameter, with nothing changed (values, moments, averages,
  // counters) where a gradient holds a NaN or an infinity or where the step would leave one in
  // anything that is kept, in the format in which it is kept. The work is cut into slices of the
  // arrays, which `run` may spread over threads. `peers`: ranks that make this step with other
  // parts of the arrays.
  void step(Context& ctx, std::span<const NamedParameter> parameters, const Gradients& gradients,
            const TaskRunner& run = run_in_order, StepPeers* peers = nullptr);
  // From now on a step leaves rows of tables without a gradient for later (DeferredRows), to
  // threads of the pool that would wait otherwise; null: it leaves none. All are as the steps make
  // them, in their last byte, once `finish` returns: as those of threads that flush denormal
  // numbers, which the pool's do. On the host, and where no averages are kept.
  void defer_rows(WorkerPool* pool);
  void finish(const TaskRunner& run = run_in_order) const;
  // From now on a step writes these copies too, of the weights that it changes and that have one in
  // use; null: none. They outlive the steps. On the host.
  void write_copies(WeightCopies* copies);
  // The schedules advance: once after each update, not once per component.
  void advance() { ++schedule_step_; }

  // The learn rate of the next update.
  double learn_rate() const { return settings_.learn_rate(schedule_step_); }
  const OptimizerSettings& settings() const { return settings_; }
  bool keeps_averages() const { return settings_.use_averages; }
  // Exchanges values and averages of the parameters that have one; twice is as if never. On a
  // device its copies of the weights are exchanged.
  void swap_averages(std::span<const NamedParameter> parameters);

  // From now on steps change those elements alone of a parameter, whole blocks (array_part.h), and
  // nothing is kept of others. State that is there is that of the whole array; where it is of an
  // array of another size, which has grown, the parameter starts anew. On the host alone.
  void divide(const NamedParameter& named, ArrayPart part);

  // From now on steps run where these weights lie, and the state of a parameter moves there with
  // its next step. Null: the CPU.
  void use(std::shared_ptr<DeviceWeights> weights);

  // From the next step on, moments are kept in this 16-bit format, the second as its root, and eps
  // is at least `least_eps`.
  void keep_low_moments(DType type, double least_eps) {
    moment_type_ = type;
    least_eps_ = least_eps;
  }
  // Beside those of the settings; they live as long as the optimizer.
  virtual std::vector<RuleSchedule> rule_schedules() const { return {}; }
  // The epsilon that the rule adds to a divisor, as the config says; 0 where it has none.
  virtual double eps() const { return 0.0; }

  // ---- for checkpoints
  std::int64_t schedule_step() const { return schedule_step_; }
  void set_schedule_step(std::int64_t step) { schedule_step_ = step; }
  const std::map<std::string, OptimizerState>& states() const {
    finish();
    return states_;
  }
  // The same on the host, whatever the device.
  std::map<std::string, OptimizerState> states_on_host() const;
  void set_state(const std::string& name, OptimizerState state) {
    finish();
    states_[name] = std::move(state);
  }
  void forget_state(const std::string& name) {
    finish();
    states_.erase(name);
  }
  // Whether a state has every array that is kept of a parameter that was updated.
  bool is_complete(const OptimizerState& state) const {
    return (moments() == 0 || (state.mom1 && state.mom2)) &&
           (!settings_.use_averages || state.average);
  }

 protected:
  // The rule for the next update of an array, if it is one of those that backends have. `updates`
  // counts the array's, this one included. `scalars` has clip, l2 and decay; the rule adds its own.
  virtual std::optional<StepRule> rule(std::int64_t updates, StepScalars& scalars) const;
  // Updates a slice by the rule, every number by itself: one array's slices are updated at the same
  // time. An optimizer with a rule of its own overrides it and gives no `rule`; on a device it is
  // called array by array, where moments in 16 bits are refused: Error(config). Its result follows
  // from the arguments and the schedules alone: where nothing bounds it, as for every rule of one's
  // own, each step is tried on copies first.
  virtual void apply(Context& ctx, const ArraySlice& slice, std::int64_t updates,
                     StepScalars scalars) const;
  // How many moments the rule keeps, 0 or 2.
  virtual int moments() const { return 2; }
  double least_eps() const { return least_eps_; }

 private:
  struct ParameterStep;  // a parameter during a step (parameter_step.h)
  class Memory;          // where the arrays lie, and how a step goes over them (optimizer_memory.h)
  class HostMemory;      // optimizer_on_host.h
  class DeviceMemory;    // optimizer_on_device.cc
  static std::unique_ptr<Memory> host_memory();
  static std::unique_ptr<Memory> device_memory(std::shared_ptr<DeviceWeights> weights);

  std::vector<ParameterStep> parameter_steps(std::span<const NamedParameter> parameters,
                                             const Gradients& gradients) const;
  ArrayPart part_of(const NamedParameter& named) const;
  void clip(ParameterStep& step, double squares) const;
  void prepare(ParameterStep& step);
  void undo(std::span<const ParameterStep> all);
  float average_rate(const OptimizerState& state) const;

  // ---- before anything is written (optimizer_overflow.cc)
  void rule_out_overflow(Context& ctx, std::span<const ParameterStep> all,
                         const TaskRunner& run) const;
  bool cannot_overflow(Context& ctx, const ParameterStep& step, const TaskRunner& run) const;

  OptimizerSettings settings_;
  DType moment_type_ = DType::f32;
  double least_eps_ = 0.0;
  std::int64_t schedule_step_ = 0;
  std::map<std::string, OptimizerState> states_;
  std::map<std::string, ArrayPart> parts_;  // of parameters of which a part is changed
  std::shared_ptr<DeviceWeights> device_;   // null: the CPU
  std::unique_ptr<Memory> memory_;          // there
  WorkerPool* pool_ = nullptr;              // see defer_rows
  WeightCopies* copies_ = nullptr;          // see write_copies
};
using OptimizerPtr = std::shared_ptr<Optimizer>;

template <>
struct ProductTraits<OptimizerPtr> {
  static constexpr std::string_view kind = "optimizers", name = "optimizer";
};

}  // namespace weft
