#include "framework/ops/op_casts.h"

#include "framework/ops/context.h"
#include "framework/ops/pass_formats.h"
#include "framework/ops/pass_observer.h"
#include "framework/precision/convert.h"
#include "framework/precision/element_type.h"
#include "registry/base/error.h"

namespace weft {

OpCasts::OpCasts(Context& ctx, const KernelSlot& op)
    : ctx_(ctx),
      op_(op),
      rule_(ctx.formats()->rule_of(op, ctx.watch().layer())),
      any_format_(op.takes_any_format(ctx.device().kind)),
      scratch_(ctx.cast_scratch()) {}

OpCasts::~OpCasts() {
  scratch_->reset();
}

ErasedKernel OpCasts::tf32_kernel() const {
  if (rule_.input != OpRule::Input::tf32) return nullptr;
  return op_.tf32_kernels[static_cast<int>(ctx_.device().kind)];
}

View OpCasts::array(Shape shape, DType type) const {
  const std::size_t bytes = static_cast<std::size_t>(shape.size()) * size_of(type);
  return {scratch_->allocate(bytes).data, type, shape};
}

void OpCasts::look_at_input(ConstView view) {
  if (!is_cast_type(view.dtype) || view.data == nullptr) return;
  const DType type = stand_in(view).dtype;
  if (!any_input_) first_ = type;
  any_input_ = true;
  if (input_count_ < kMost) inputs_[input_count_++] = cast_type(stand_in(view));
  if (rule_.input == OpRule::Input::refused && is_low(type)) check_refused(type);
}

void OpCasts::look_at_result(View view) {
  if (!is_cast_type(view.dtype) || view.data == nullptr) return;
  if (result_count_ < kMost) results_[result_count_++] = view.dtype;
}

void OpCasts::check_refused(DType type) const {
  throw Error(ErrorKind::config, std::string("precision: op ") + std::string(op_.name) +
                                     " must not be given " + std::string(name_of(type)) +
                                     " inputs");
}

// The 16-bit copy of a weight, where the op is to see that; else the weight as the device has it.
ConstView OpCasts::stand_in(ConstView view) const {
  const ConstView same = ctx_.resident(view);
  if (!rule_.low_weights || view.dtype != DType::f32) return same;
  const Tensor* copy = ctx_.formats()->copy_of(view.data, ctx_.on_cpu() ? nullptr : &ctx_);
  if (copy == nullptr) return same;
  return {copy->cview().data, copy->dtype(), view.shape, view.stride};
}

// The format that the elements of an input are rounded to.
DType OpCasts::cast_type(ConstView view) const {
  switch (rule_.input) {
    case OpRule::Input::low:
      return ctx_.formats()->low();
    case OpRule::Input::first:
      return first_;
    case OpRule::Input::f32:
      return DType::f32;
    default:
      return view.dtype;
  }
}

void OpCasts::cast(ConstView from, View to) {
  if (ctx_.watch().profile() == nullptr) return ctx_.cast(from, to);
  const auto start = OpProfile::Clock::now();
  ctx_.cast(from, to);
  time_ += OpProfile::Clock::now() - start;
}

// In f32, with numbers that `type` has.
View OpCasts::rounded(ConstView view, DType type) {
  const View wide = array(view.shape, DType::f32);
  cast(view, wide);
  const std::span<float> numbers(wide.as<float>(), static_cast<std::size_t>(wide.size()));
  if (rule_.input == OpRule::Input::tf32) {
    round_to(NumberFormat::tf32, numbers);
  } else if (type != view.dtype) {
    round_to(format_of(type), numbers);
  }
  return wide;
}

// The same, or in that type itself if the kernel takes it. Those of devices round to tf32
// themselves.
View OpCasts::narrowed(ConstView view, DType type) {
  ConstView from = view;
  if (type != view.dtype) {
    const View narrow = array(view.shape, type);
    cast(view, narrow);
    if (any_format_ || type == DType::f32) return narrow;
    from = narrow;
  }
  const View wide = array(view.shape, DType::f32);
  cast(from, wide);
  return wide;
}

ConstView OpCasts::input(ConstView given) {
  if (!is_cast_type(given.dtype) || given.data == nullptr) return ctx_.resident(given);
  const ConstView view = stand_in(given);
  const DType type = cast_type(view);
  const bool rounds = ctx_.on_cpu() && rule_.input == OpRule::Input::tf32;
  if (any_format_ && type == view.dtype && !rounds) return view;
  if (view.dtype == DType::f32 && type == DType::f32 && !rounds) return view;
  const bool wide = ctx_.on_cpu() && (!any_format_ || rounds);
  return wide ? rounded(view, type) : narrowed(view, type);
}

View OpCasts::output(View view) {
  if (!is_cast_type(view.dtype) || view.data == nullptr) return view;
  if (view.dtype == DType::f32 || any_format_) return view;
  if (pending_count_ == kMost) {
    throw Error(ErrorKind::internal, "op " + std::string(op_.name) + " has too many results");
  }
  const View wide = array(view.shape, DType::f32);
  cast(view, wide);  // an op may add to what is there
  pending_[pending_count_++] = {wide, view};
  return wide;
}

void OpCasts::finish() {
  for (std::size_t i = 0; i < pending_count_; ++i) {
    cast(pending_[i].result, pending_[i].stored);
  }
  PassObserver* observer = ctx_.watch().observer();
  if (observer == nullptr) return;
  observer->op_ran(ctx_.watch().layer(), op_, std::span(inputs_).first(input_count_),
                   std::span(results_).first(result_count_));
}

}  // namespace weft
