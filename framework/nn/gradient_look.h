// A look at gradients on a device: the sum of the squares of each, which is no number where one of
// its elements is none. One kernel looks at all of them, and the results are kept with the
// gradients (Gradients::remember_squares): neither a check nor clipping needs a second look.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "framework/nn/gradients.h"
#include "framework/nn/parameter.h"
#include "framework/ops/context.h"
#include "framework/ops/optimizer_arrays.h"

namespace weft {

// The sums of squares, in the host's memory once the device has been waited for, until the end of
// the context's step.
inline Tensor queue_norms(Context& ctx, std::span<const NormArray> arrays) {
  Tensor squares = ctx.host_array({static_cast<std::int64_t>(arrays.size())}, DType::f64);
  ctx.run<GradientNorms>(arrays, squares.data<double>());
  return squares;
}

class GradientLook {
 public:
  // Queues it, for those of the parameters that have a gradient. Memory is the context's.
  GradientLook(Context& ctx, std::span<const NamedParameter> parameters, Gradients& gradients)
      : ctx_(ctx), gradients_(gradients) {
    std::vector<NormArray> arrays;
    for (const NamedParameter& named : parameters) {
      const Tensor* array = gradients.find_array(*named.parameter);
      if (array == nullptr) continue;
      parameters_.push_back(named.parameter);
      arrays.push_back(
          {.gradient = {array->data<float>(), gradients.kept_as(), 1.0F}, .count = array->size()});
    }
    if (arrays.empty()) return;
    squares_ = queue_norms(ctx, arrays);
  }
  // Waits for the device, and notes the results.
  void take() const {
    if (parameters_.empty()) return;
    ctx_.stream().synchronize();
    for (std::size_t i = 0; i < parameters_.size(); ++i) {
      gradients_.remember_squares(*parameters_[i],
                                  squares_.cview().as<double>()[static_cast<std::ptrdiff_t>(i)]);
    }
  }

 private:
  Context& ctx_;
  Gradients& gradients_;
  std::vector<const Parameter*> parameters_;
  Tensor squares_;
};

}  // namespace weft
