// Runs ops: on a device, in the number formats of a policy. One Context for each shard; layers see
// nothing else of the machine.
//
//   Tensor y = ctx.empty({rows, width});
//   ctx.run<LayerNormForward>(x, gamma, beta, y.view(), stats.view(), eps);
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <type_traits>

#include "framework/ops/kernel.h"
#include "framework/ops/mask_source.h"
#include "framework/ops/op_casts.h"
#include "framework/ops/pass_formats.h"
#include "framework/ops/pass_memory.h"
#include "framework/ops/pass_state.h"
#include "framework/ops/pass_watch.h"
#include "framework/precision/element_type.h"
#include "framework/precision/format.h"
#include "registry/base/export.h"

namespace weft {

class WEFT_API Context : public PassMemory {
 public:
  // On the CPU, memory from a private arena.
  Context();
  // On a stream of its own. Throws Error(device) if no backend is loaded.
  explicit Context(Device device);
  explicit Context(std::shared_ptr<Stream> stream);
  // A prediction pass in memory of its own, in the formats and with the observer of this one: for a
  // part of the work whose memory is taken back (end_step) before the pass ends.
  std::unique_ptr<Context> make_part();

  // Resources in common with the passes beside this one; they outlive the pass.
  void share(const WorkSharing& sharing);
  PassState& pass() { return pass_; }
  const PassState& pass() const { return pass_; }
  PassWatch& watch() { return watch_; }
  const PassWatch& watch() const { return watch_; }
  // Number formats (docs/precision.md). Null: f32 throughout, nothing is cast.
  PassFormats* formats() const { return formats_; }
  void follow(PassFormats* formats) { formats_ = formats; }
  // Whether somebody wants to know which layer an op runs in.
  bool tells_layers_apart() const {
    return formats_ != nullptr || watch_.observer() != nullptr || watch_.profile() != nullptr;
  }

  bool training() const { return pass_.training(); }
  Gradients& gradients() const { return pass_.gradients(); }
  // The mask of a dropout site (see MaskSource). Throws Error(internal) outside a training pass.
  Tensor dropout_mask(std::string_view site, Shape shape, double rate, std::int64_t offset = 0);
  // One row for each of `offsets` (see MaskSource::fill_rows).
  Tensor dropout_mask_rows(std::string_view site, std::span<const std::int64_t> offsets,
                           std::int64_t width, double rate);

  // Runs an op, with the casts that the policy asks for. Throws Error(device) if it has no kernel
  // here, Error(config) for an op that refuses 16-bit inputs.
  template <class Op, class... A>
  void run(A&&... arguments) {
    if (OpProfile* profile = watch_.profile()) {
      run_measured<Op>(*profile, arguments...);
    } else {
      run_unmeasured<Op>(arguments...);
    }
  }
  // Throws Error(device) now rather than in the first step.
  template <class Op>
  void require() {
    static_cast<void>(kernel_of<Op>(device().kind));
  }
  // Whether there is a kernel here, for ops that others can stand in for.
  template <class Op>
  bool has() const {
    return has_kernel<Op>(device().kind);
  }
  // Runs an op on arrays that lie here as they are: no policy, no casts, not watched.
  template <class Op, class... A>
  void run_plain(A&&... arguments) {
    kernel_of<Op>(device().kind)(stream(), arguments...);
  }

  // An array for the numbers that Op makes of `inputs`, in the format that the policy gives it: f32
  // without one. Contents undefined.
  template <class Op, class... Inputs>
  Tensor result(Shape shape, const Inputs&... inputs) {
    if (formats_ == nullptr) return empty(shape);
    const ConstView views[] = {ConstView(inputs)...};
    return result_of<Op>(shape, views);
  }
  template <class Op>
  Tensor result_of(Shape shape, std::span<const ConstView> inputs) {
    if (formats_ == nullptr) return empty(shape);
    return empty(shape, formats_->stored_result(slot_of<Op>(), watch_.layer(), inputs));
  }
  // An array for the result of an op in a format that the layer at hand chooses itself: the policy
  // leaves it alone, and plans count it (P061). f32 where no policy is followed.
  Tensor result_in(DType type, Shape shape);
  // An array for the gradient of `of`, which Op makes in the backward pass: 16 bits wide if that is
  // the format that Op gives, else in the format of `of`.
  template <class Op>
  Tensor gradient(const Tensor& of) {
    if (formats_ == nullptr) return empty(of.shape());
    return empty(of.shape(), formats_->stored_gradient(slot_of<Op>(), watch_.layer(), of.dtype()));
  }
  // The formats of the numbers that Op gives for `input`, and of those that its inputs are cast to:
  // f32 if they are left alone.
  template <class Op>
  NumberFormat result_format(ConstView input) const {
    if (formats_ == nullptr) return NumberFormat::f32;
    return format_of(formats_->stored_result(slot_of<Op>(), watch_.layer(), {&input, 1}));
  }
  template <class Op>
  NumberFormat input_format() const {
    if (formats_ == nullptr) return NumberFormat::f32;
    return formats_->rounded_input(slot_of<Op>(), watch_.layer());
  }
  // The f32 numbers that Op is given for `tensor`: the tensor itself unless the policy casts it.
  template <class Op>
  Tensor seen_by(const Tensor& tensor) {
    return formats_ == nullptr ? resident(tensor) : cast_for(slot_of<Op>(), tensor);
  }
  // Memory for the casts of one op. Ops that run side by side take one each.
  ObjectPool<Arena>& cast_scratch() {
    ObjectPool<Arena>* shared = pass_.sharing().scratch;
    return on_cpu() && shared != nullptr ? *shared : cast_scratch_;
  }

 private:
  // On a device casts are part of their op's time.
  template <class Op, class... A>
  void run_measured(OpProfile& profile, A&... arguments) {
    const double flops = flops_of<Op>(arguments...), bytes = (bytes_of(arguments) + ... + 0.0);
    if (!on_cpu()) {
      const Stream::Mark begin = stream().mark();
      run_unmeasured<Op>(arguments...);
      return profile.add(watch_.layer(), Op::name, shared_stream(), begin, stream().mark(), flops,
                         bytes);
    }
    const auto start = OpProfile::Clock::now();
    const auto casts = run_unmeasured<Op>(arguments...);
    const auto time = OpProfile::Clock::now() - start - casts;
    profile.add(watch_.layer(), Op::name, time, flops, bytes);
    if (casts.count() > 0) profile.add(watch_.layer(), OpProfile::casts, casts, 0.0, 0.0);
  }
  // Gives the time that casts took, where it is measured.
  template <class Op, class... A>
  OpProfile::Clock::duration run_unmeasured(A&... arguments) {
    const auto kernel = kernel_of<Op>(device().kind);
    if (formats_ != nullptr) return run_cast(slot_of<Op>(), kernel, arguments...);
    if (weights() != nullptr) {
      run_resident(kernel, arguments...);
    } else {
      kernel(stream(), arguments...);
    }
    return {};
  }
  template <class P, class A>
  decltype(auto) as_resident(A& argument) const {
    if constexpr (std::is_same_v<P, ConstView> || std::is_same_v<P, View>) {
      return resident(P(argument));
    } else {
      return (argument);
    }
  }
  template <class... P, class... A>
  void run_resident(void (*kernel)(Stream&, P...), A&... arguments) {
    kernel(stream(), as_resident<P>(arguments)...);
  }
  template <class... P, class... A>
  OpProfile::Clock::duration run_cast(const KernelSlot& op, void (*kernel)(Stream&, P...),
                                      A&... arguments) {
    OpCasts casts(*this, op);
    (casts.look_at<P>(arguments), ...);
    casts.kernel(kernel)(stream(), casts.pass<P>(arguments)...);
    casts.finish();
    return casts.time();
  }
  Tensor cast_for(const KernelSlot& op, const Tensor& tensor);

  ObjectPool<Arena> cast_scratch_;
  PassState pass_;
  PassWatch watch_;
  PassFormats* formats_ = nullptr;
};

}  // namespace weft
