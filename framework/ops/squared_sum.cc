#include "framework/ops/squared_sum.h"

#include <memory>
#include <utility>

#include "framework/ops/optimizer_step.h"
#include "framework/precision/element_type.h"

namespace weft {
namespace {

// Adds up the sums of the arrays as they arrive.
struct Total {
  std::size_t missing;
  std::function<void(double)> take;
  double sum = 0;

  void add(double squares) {
    sum += squares;
    if (--missing == 0) take(sum);
  }
};

}  // namespace

void squared_sum(Context& ctx, std::span<const Tensor> arrays, std::function<void(double)> take) {
  if (arrays.empty()) return take(0.0);
  const auto total = std::make_shared<Total>(Total{arrays.size(), std::move(take)});
  for (const Tensor& array : arrays) {
    if (ctx.on_cpu()) {
      double squares = 0.0;
      const Tensor wide = cast_to(DType::f32, array);
      ctx.run<SquaredNorm>(wide, wide, 0.0F, &squares);
      total->add(squares);
      continue;
    }
    Tensor sum = ctx.number_to_read();
    ctx.run<SquaredNorm>(array, array, 0.0F, sum.data<double>());
    ctx.read_later(sum, [total](double squares) { total->add(squares); });
  }
}

}  // namespace weft
