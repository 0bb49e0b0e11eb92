#include "framework/training/optimizer.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "framework/nn/device_weights.h"
#include "framework/precision/element_type.h"
#include "registry/error.h"

namespace weft {

namespace {

// A layer that got rows for labels which came late starts anew.
bool outgrown(const Parameter& parameter, const OptimizerState& state) {
  const auto differs = [&](const Tensor& kept) {
    return kept && kept.shape() != parameter.value.shape();
  };
  return differs(state.mom1) || differs(state.mom2) || differs(state.average);
}

ConstView elements(ConstView array, std::int64_t begin, std::int64_t count) {
  const auto bytes = static_cast<std::int64_t>(size_of(array.dtype));
  return {static_cast<const char*>(array.data) + begin * bytes, array.dtype, {count}};
}

// Elements [begin, begin + count) of an array as f32: the array's own, or a copy that `store`
// rounds back.
class Elements {
 public:
  Elements(const Tensor& array, std::int64_t begin, std::int64_t count) {
    if (!array) return;
    kept_ = {const_cast<void*>(elements(array.cview(), begin, count).data), array.dtype(), {count}};
    if (array.dtype() == DType::f32) return;
    wide_.resize(static_cast<std::size_t>(count));
    cast_rows(kept_, view());
  }
  View view() { return wide_.empty() ? kept_ : View(wide_.data(), DType::f32, kept_.shape); }
  void store() {
    if (!wide_.empty()) cast_rows(view(), kept_);
  }
  // For second moments, which are kept as their roots in 16 bits.
  void square() {
    for (float& value : wide_) value *= value;
  }
  void take_root() {
    for (float& value : wide_) value = std::sqrt(value);
  }

 private:
  View kept_;
  std::vector<float> wide_;
};

// What is kept of a parameter, to the memory of that device.
void move_to(Stream& stream, OptimizerState& state) {
  for (Tensor* tensor : {&state.mom1, &state.mom2, &state.average}) {
    if (!*tensor || tensor->device() == stream.device()) continue;
    Tensor there(stream, tensor->shape(), tensor->dtype());
    stream.copy(there.view().data, tensor->cview().data, there.bytes(), CopyKind::host_to_device);
    stream.synchronize();
    *tensor = there;
  }
}

// A device's weights as f32: their own array, or a copy until the end of the step.
Tensor f32_of(Context& ctx, const Tensor& weights) {
  const Tensor here = ctx.resident(weights);
  if (here.dtype() == DType::f32) return here;
  Tensor wide = ctx.empty(here.shape());
  ctx.cast(here, wide.view());
  return wide;
}

}  // namespace

// A parameter that takes part in a step. Neither gradient: it had one before, but not in this step.
struct Optimizer::Planned {
  const NamedParameter* named;
  const Tensor* dense;
  const RowGradient* rows;
  StepScalars scalars;
  float factor = 1.0F;  // of gradients that are kept in 16 bits
  OptimizerState* state = nullptr;
  Tensor absent = {};  // zeros that stand for the gradient, where they are needed on a device

  Shape shape() const { return named->parameter->value.shape(); }
  // On a device, where gradients are kept whole; empty if there is none.
  ConstView whole() const { return dense != nullptr ? dense->cview() : absent.cview(); }

  // Calls `use` with elements begin ... begin + count, written out where they are not there as
  // such.
  template <class Use>
  void with_gradient(std::int64_t begin, std::int64_t count, Use use) const {
    if (dense != nullptr) {
      std::vector<float> scratch;
      return use(f32_of(elements(dense->cview(), begin, count), scratch));
    }
    const SparseSlice slice(*this, begin, count);
    use(slice.numbers());
  }
  // Of all rows that are kept.
  ConstView row_values(std::vector<float>& scratch) const {
    const ConstView values = rows->values();
    return {f32_of(values, scratch), DType::f32, values.shape};
  }

 private:
  // Zeros but for the rows that are kept, while it lives; then they become zeros again, which is
  // less to write than all.
  class SparseSlice {
   public:
    SparseSlice(const Planned& planned, std::int64_t begin, std::int64_t count)
        : planned_(planned), begin_(begin), count_(count), numbers_(kept()) {
      numbers_.resize(std::max(numbers_.size(), static_cast<std::size_t>(count)));
      planned_.for_rows(begin_, count_,
                        [&](ConstView row, std::size_t at) { planned_.widen(row, &numbers_[at]); });
    }
    ~SparseSlice() {
      planned_.for_rows(begin_, count_, [&](ConstView row, std::size_t at) {
        std::fill_n(&numbers_[at], row.size(), 0.0F);
      });
    }
    SparseSlice(const SparseSlice&) = delete;
    SparseSlice& operator=(const SparseSlice&) = delete;
    const float* numbers() const { return numbers_.data(); }

   private:
    // One for each thread.
    static std::vector<float>& kept() {
      thread_local std::vector<float> zeros;
      return zeros;
    }

    const Planned& planned_;
    std::int64_t begin_, count_;
    std::vector<float>& numbers_;
  };

  // Calls `visit` with each row that is kept of those elements, and its place among them.
  template <class Visit>
  void for_rows(std::int64_t begin, std::int64_t count, Visit visit) const {
    if (rows == nullptr) return;
    const ConstView values = rows->values();
    const std::int64_t width = values.cols(), first = begin / width;
    for (std::int64_t i = 0; i < count / width; ++i) {
      const std::int32_t place = rows->place(static_cast<std::int32_t>(first + i));
      if (place >= 0) visit(values.slice(place, 1), static_cast<std::size_t>(i * width));
    }
  }
  const float* f32_of(ConstView kept, std::vector<float>& scratch) const {
    if (kept.dtype == DType::f32) return kept.as<float>();
    scratch.resize(static_cast<std::size_t>(kept.size()));
    widen(kept, scratch.data());
    return scratch.data();
  }
  void widen(ConstView kept, float* to) const {
    cast_rows(kept, View(to, DType::f32, kept.shape));
    if (kept.dtype == DType::f32) return;
    for (std::int64_t i = 0; i < kept.size(); ++i) to[i] *= factor;
  }
};

// A slice and all that is kept of it stay in the second cache from the rule to the average.
struct Optimizer::Slice {
  const Planned* of;
  std::int64_t begin, count;

  static constexpr std::int64_t kElements = 1 << 14;

  // Whole rows of a table, so that gradients kept by rows fall into slices.
  static void cut(const Planned& planned, std::vector<Slice>& slices) {
    const View array = planned.named->parameter->value.view();
    const std::int64_t width = array.cols();
    const std::int64_t step = std::max<std::int64_t>(1, kElements / width) * width;
    for (std::int64_t at = 0; at < array.size(); at += step) {
      slices.push_back({&planned, at, std::min(step, array.size() - at)});
    }
  }
  Elements part(const Tensor& tensor) const { return {tensor, begin, count}; }
  double squares(Context& ctx) const {
    std::vector<float> scratch;
    const float l2 = of->scalars.l2;
    double result = 0.0;
    if (of->dense == nullptr && l2 == 0.0F) {  // zeros, but for the rows that are kept
      if (of->rows == nullptr || begin > 0) return 0.0;
      const ConstView values = of->row_values(scratch);
      ctx.run<SquaredNorm>(values, values, 0.0F, &result);
      return result;
    }
    of->with_gradient(begin, count, [&](const float* numbers) {
      const ConstView gradient(numbers, DType::f32, {count});
      ctx.run<SquaredNorm>(gradient, part(of->named->parameter->value).view(), l2, &result);
    });
    return result;
  }
};

std::vector<Optimizer::Planned> Optimizer::plan(std::span<const NamedParameter> parameters,
                                                const Gradients& gradients) const {
  StepScalars scalars;
  const double l2 = settings_.l2(schedule_step_);
  if (settings_.l2_is_weight_decay) {
    scalars.decay = static_cast<float>(learn_rate() * l2);
  } else {
    scalars.l2 = static_cast<float>(l2);
  }
  std::vector<Planned> all;
  for (const NamedParameter& named : parameters) {
    const Shape shape = named.parameter->value.shape();
    const RowGradient* rows = gradients.find_rows(*named.parameter);
    const Tensor* dense = gradients.find_array(*named.parameter);
    // Added up before the layer grew.
    if (dense != nullptr && dense->shape() != shape) dense = nullptr;
    const bool known = states_.contains(named.name);
    if (rows == nullptr && dense == nullptr && !known) continue;
    all.push_back({&named, dense, rows, scalars, gradients.factor()});
  }
  return all;
}

void Optimizer::clip(Context& ctx, std::vector<Planned>& all, std::span<const Slice> slices,
                     const TaskRunner& run) const {
  std::vector<double> squares(slices.size());
  run(slices.size(), [&](std::size_t i) { squares[i] = slices[i].squares(ctx); });
  std::size_t at = 0;
  for (Planned& planned : all) {
    double sum = 0.0;
    for (; at < slices.size() && slices[at].of == &planned; ++at) sum += squares[at];
    clip_to(planned, sum);
  }
}

void Optimizer::clip_to(Planned& planned, double squares) const {
  if (!std::isfinite(squares)) {
    throw Error(ErrorKind::diverged,
                "the gradient of " + planned.named->name + " holds a NaN or an infinity");
  }
  const double limit = settings_.grad_clip(schedule_step_);
  const double norm = std::sqrt(squares);
  if (limit != 0.0 && norm >= limit) planned.scalars.clip = static_cast<float>(limit / norm);
}

void Optimizer::prepare(Planned& planned) {
  const Parameter& parameter = *planned.named->parameter;
  OptimizerState& state = states_[planned.named->name];
  if (outgrown(parameter, state)) state = {};
  ++state.updates;
  const Shape shape = parameter.value.shape();
  if (moments() > 0 && !state.mom1) state.mom1 = Tensor::zeros(shape, moment_type_);
  if (moments() > 0 && !state.mom2) state.mom2 = Tensor::zeros(shape, moment_type_);
  if (settings_.use_averages && !state.average) state.average = Tensor::zeros(shape);
  if (device_) move_to(*device_->stream(), state);
  planned.state = &state;
}

void Optimizer::update(Context& ctx, const Slice& slice) const {
  const Planned& planned = *slice.of;
  const OptimizerState& state = *planned.state;
  Elements weights = slice.part(planned.named->parameter->value);
  Elements mom1 = slice.part(state.mom1), mom2 = slice.part(state.mom2);
  mom2.square();
  planned.with_gradient(slice.begin, slice.count, [&](const float* numbers) {
    const ConstView gradient(numbers, DType::f32, {slice.count});
    apply(ctx, {weights.view(), gradient, mom1.view(), mom2.view()}, state.updates,
          planned.scalars);
  });
  mom2.take_root();
  mom1.store();
  mom2.store();
  if (settings_.use_averages) {  // of what the weights are before they are rounded
    ctx.run<AverageStep>(slice.part(state.average).view(), weights.view(), average_rate(state));
  }
  weights.store();
}

float Optimizer::average_rate(const OptimizerState& state) const {
  const auto t = static_cast<double>(state.updates);
  const double decay = std::min(0.9999, (1.0 + t) / (10.0 + t));
  return static_cast<float>(1.0 - decay);
}

// One number for each array; read at once.
void Optimizer::clip_on_device(Context& ctx, std::vector<Planned>& all) const {
  Tensor squares = ctx.zeros({static_cast<std::int64_t>(all.size())}, DType::f64);
  for (std::size_t i = 0; i < all.size(); ++i) {
    Planned& planned = all[i];
    const float l2 = planned.scalars.l2;
    if (planned.dense == nullptr && l2 == 0.0F) continue;
    if (planned.dense == nullptr) planned.absent = ctx.zeros(planned.shape());
    ctx.run<SquaredNorm>(planned.whole(), f32_of(ctx, planned.named->parameter->value), l2,
                         squares.data<double>() + i);
  }
  const Tensor found = ctx.on_host(squares);
  for (std::size_t i = 0; i < all.size(); ++i) clip_to(all[i], found.data<double>()[i]);
}

void Optimizer::update_on_device(Context& ctx, const Planned& planned) const {
  Parameter& parameter = *planned.named->parameter;
  const OptimizerState& state = *planned.state;
  Tensor& stored = device_->written(parameter);
  Tensor weights = f32_of(ctx, stored);
  ConstView gradient = planned.whole();
  if (!gradient) gradient = ctx.zeros(planned.shape()).cview();
  Tensor mom1 = state.mom1, mom2 = state.mom2, average = state.average;
  apply(ctx, {weights.view(), gradient, mom1.view(), mom2.view()}, state.updates, planned.scalars);
  if (settings_.use_averages) {
    ctx.run<AverageStep>(average.view(), weights, average_rate(state));
  }
  if (stored.dtype() != DType::f32) ctx.cast(weights, stored.view());
}

void Optimizer::step_on_device(Context& ctx, std::vector<Planned>& all) {
  clip_on_device(ctx, all);
  for (Planned& planned : all) prepare(planned);
  for (const Planned& planned : all) update_on_device(ctx, planned);
}

void Optimizer::use(std::shared_ptr<DeviceWeights> weights) {
  if (weights && is_low(moment_type_)) {
    throw Error(ErrorKind::config,
                "precision: optimizer_state = \"low\" works on the CPU only; set it to \"f32\"");
  }
  if (device_ && device_ != weights) states_ = states_on_host();
  device_ = std::move(weights);
}

std::map<std::string, OptimizerState> Optimizer::states_on_host() const {
  std::map<std::string, OptimizerState> states = states_;
  if (!device_) return states;
  for (auto& [_, state] : states) {
    for (Tensor* tensor : {&state.mom1, &state.mom2, &state.average}) {
      if (tensor->device().kind == DeviceKind::cpu) continue;
      Tensor host = Tensor::zeros(tensor->shape(), tensor->dtype());
      device_->stream()->copy(host.view().data, tensor->cview().data, host.bytes(),
                              CopyKind::device_to_host);
      *tensor = host;
    }
  }
  device_->stream()->synchronize();
  return states;
}

void Optimizer::step(Context& ctx, std::span<const NamedParameter> parameters,
                     const Gradients& gradients, const TaskRunner& run) {
  std::vector<Planned> all = plan(parameters, gradients);
  if (!ctx.on_cpu()) return step_on_device(ctx, all);
  std::vector<Slice> slices;
  for (const Planned& planned : all) Slice::cut(planned, slices);
  clip(ctx, all, slices, run);
  for (Planned& planned : all) prepare(planned);
  run(slices.size(), [&](std::size_t i) { update(ctx, slices[i]); });
  for (const Planned& planned : all) ++planned.named->parameter->version;
}

void Optimizer::swap_averages(std::span<const NamedParameter> parameters) {
  for (const NamedParameter& named : parameters) {
    const auto found = states_.find(named.name);
    if (found == states_.end() || !found->second.average) continue;
    if (device_) {
      move_to(*device_->stream(), found->second);
      std::swap(device_->written(*named.parameter), found->second.average);
      continue;
    }
    std::swap(named.parameter->value, found->second.average);
    ++named.parameter->version;
  }
}

}  // namespace weft
