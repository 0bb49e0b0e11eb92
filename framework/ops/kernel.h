// An op is a type that names its signature; backends register one kernel for each device.
//
//   struct ReluForward {
//     static constexpr std::string_view name = "relu_forward";
//     static constexpr Category category = Category::any;
//     using Fn = void(Stream&, ConstView x, View y);
//   };
//   static const KernelRegistration<ReluForward> registered{DeviceKind::cpu, relu_forward};
//
// Views and pointers that a kernel is given lie in the memory of its stream's device; scalars, and
// structs of them, are handed over by value or lie on the host.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "framework/precision/format.h"
#include "framework/precision/op_policy.h"
#include "framework/tensor/device.h"
#include "framework/tensor/stream.h"
#include "framework/tensor/view.h"
#include "registry/base/export.h"

namespace weft {

using ErasedKernel = void (*)();

// The declaration of an op, in members of its struct that have the names of those here and of
// OpPolicy; all but the name may be left out. One that names no category is undeclared: it gets f32
// arrays.
struct OpTraits : OpPolicy {
  // Its kernels take floating arrays of every type as they are; else they are given f32 ones.
  bool any_format = false;
  // The formats that its kernels can compute; empty: every. In a run of another 16-bit format it
  // runs in f32 (P012).
  std::span<const NumberFormat> formats = {};
};

template <class Op>
OpPolicy policy_of() {
  if constexpr (requires { Op::category; }) {
    constexpr bool always_f32 = requires {
      requires Op::always_f32;
    };
    OpPolicy policy = declare_op(Op::name, Op::category, always_f32);
    if constexpr (requires { Op::accumulates; }) policy.accumulates = Op::accumulates;
    if constexpr (requires { Op::output_per_op; }) policy.output_per_op = Op::output_per_op;
    if constexpr (requires { Op::output_whole_model; }) {
      policy.output_whole_model = Op::output_whole_model;
    }
    if constexpr (requires { Op::gives_logits; }) policy.gives_logits = Op::gives_logits;
    if constexpr (requires { Op::follows_norm_output; }) {
      policy.follows_norm_output = Op::follows_norm_output;
    }
    return policy;
  } else {
    return undeclared_op(Op::name);
  }
}

template <class Op>
OpTraits traits_of() {
  OpTraits traits{policy_of<Op>()};
  if constexpr (requires { Op::any_format; }) traits.any_format = Op::any_format;
  if constexpr (requires { Op::formats; }) traits.formats = Op::formats;
  return traits;
}

// The kernels of one op, by device; made on first use, lives for ever.
struct KernelSlot : OpTraits {
  ErasedKernel kernels[2] = {nullptr, nullptr};
  // Kernels that take floating arrays of every type although those of other devices do not.
  bool any_format_on[2] = {false, false};
  // Kernels that compute the same but round f32 inputs to tf32 on their way; null where inputs are
  // rounded before a kernel gets them.
  ErasedKernel tf32_kernels[2] = {nullptr, nullptr};

  bool takes_any_format(DeviceKind device) const {
    return any_format || any_format_on[static_cast<int>(device)];
  }
};

// The slot of the op of that name: one for the whole process, whichever library asks.
WEFT_API KernelSlot& kernel_slot(const OpTraits& op);
// All ops seen so far, by name.
WEFT_API std::vector<const KernelSlot*> kernel_slots();

template <class Op>
KernelSlot& slot_of() {
  static KernelSlot& slot = kernel_slot(traits_of<Op>());
  return slot;
}

// Declares an op that is part of the kernel of another, so that the precision policy knows it.
template <class Op>
struct OpDeclaration {
  OpDeclaration() { slot_of<Op>(); }
};

// The formats a kernel takes: as the op says, or floating arrays of every type, mixed too.
enum class KernelFormats : std::uint8_t { of_op, any };

template <class Op>
struct KernelRegistration {
  // `tf32`: see KernelSlot::tf32_kernels.
  KernelRegistration(DeviceKind device, typename Op::Fn* kernel,
                     KernelFormats formats = KernelFormats::of_op,
                     typename Op::Fn* tf32 = nullptr) {
    KernelSlot& slot = slot_of<Op>();
    slot.kernels[static_cast<int>(device)] = reinterpret_cast<ErasedKernel>(kernel);
    slot.any_format_on[static_cast<int>(device)] = formats == KernelFormats::any;
    slot.tf32_kernels[static_cast<int>(device)] = reinterpret_cast<ErasedKernel>(tf32);
  }
};

// Throws Error(device): the op has no kernel on that kind of device.
[[noreturn]] WEFT_API void throw_missing_kernel(std::string_view op, DeviceKind device);

template <class Op>
bool has_kernel(DeviceKind device) {
  return slot_of<Op>().kernels[static_cast<int>(device)] != nullptr;
}

template <class Op>
typename Op::Fn* kernel_of(DeviceKind device) {
  const ErasedKernel found = slot_of<Op>().kernels[static_cast<int>(device)];
  if (found == nullptr) throw_missing_kernel(Op::name, device);
  return reinterpret_cast<typename Op::Fn*>(found);
}

}  // namespace weft
