// The casts around one run of an op whose kernel computes in f32: 16-bit inputs are widened, inputs
// are rounded as the policy says, and results are rounded to nearest even when they are stored.
// Memory for this is scratch of the pass (PassMemory::cast_scratch), given back when the op has
// run. A device's kernels may take 16-bit arrays as they are (KernelFormats).
#pragma once

#include <array>
#include <type_traits>

#include "framework/ops/kernel.h"
#include "framework/ops/op_profile.h"
#include "framework/precision/op_rule.h"
#include "framework/tensor/object_pool.h"
#include "framework/tensor/storage.h"
#include "registry/base/export.h"

namespace weft {

class Context;

class WEFT_API OpCasts {
 public:
  OpCasts(Context& ctx, const KernelSlot& op);
  ~OpCasts();
  OpCasts(const OpCasts&) = delete;
  OpCasts& operator=(const OpCasts&) = delete;

  // All arguments are looked at before any is passed on.
  template <class P, class A>
  void look_at(const A& argument) {
    if constexpr (std::is_same_v<P, ConstView>) look_at_input(ConstView(argument));
    if constexpr (std::is_same_v<P, View>) look_at_result(View(argument));
  }
  // The argument as the kernel gets it.
  template <class P, class A>
  decltype(auto) pass(A&& argument) {
    if constexpr (std::is_same_v<P, ConstView>) {
      return input(ConstView(argument));
    } else if constexpr (std::is_same_v<P, View>) {
      return output(View(argument));
    } else {
      return static_cast<P>(argument);
    }
  }
  ConstView input(ConstView view);
  View output(View view);
  // The one of the op's kernels that computes as the policy says.
  template <class Fn>
  Fn* kernel(Fn* plain) const {
    const ErasedKernel tf32 = tf32_kernel();
    return tf32 == nullptr ? plain : reinterpret_cast<Fn*>(tf32);
  }
  // Stores the results; tells the context's observer.
  void finish();
  // Time of the casts so far; zero unless the context profiles.
  OpProfile::Clock::duration time() const { return time_; }

 private:
  static constexpr std::size_t kMost = 8;  // arrays of one op
  struct Pending {
    View result, stored;
  };
  ErasedKernel tf32_kernel() const;  // null: none is asked for, or there is none
  void look_at_input(ConstView view);
  void look_at_result(View view);
  ConstView stand_in(ConstView view) const;
  DType cast_type(ConstView view) const;
  void check_refused(DType type) const;
  void cast(ConstView from, View to);
  View array(Shape shape, DType type) const;
  View rounded(ConstView view, DType type);
  View narrowed(ConstView view, DType type);

  Context& ctx_;
  const KernelSlot& op_;
  OpRule rule_;
  bool any_format_;  // the kernel takes what it is given
  ObjectPool<Arena>::Lease scratch_;
  DType first_ = DType::f32;  // of the first floating input
  bool any_input_ = false;
  std::array<Pending, kMost> pending_;
  std::size_t pending_count_ = 0;
  std::array<DType, kMost> inputs_{}, results_{};
  std::size_t input_count_ = 0, result_count_ = 0;
  OpProfile::Clock::duration time_{};
};

}  // namespace weft
