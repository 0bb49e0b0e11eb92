#include "tools/machine_peak.h"

#include <algorithm>
#include <chrono>

#include "framework/ops/context.h"
#include "framework/ops/gemm.h"

namespace weft::tools {
namespace {

using Clock = std::chrono::steady_clock;

// The shortest of several tries of `work`, in seconds.
template <class Work>
double shortest(const Work& work) {
  double best = 1e9;
  for (int i = 0; i < 20; ++i) {
    const auto start = Clock::now();
    work();
    best = std::min(best, std::chrono::duration<double>(Clock::now() - start).count());
  }
  return best;
}

}  // namespace

MachinePeak measured_peak() {
  constexpr std::int64_t kRows = 1000, kWidth = 288, kLong = 16'000'000;
  Context ctx;
  const Tensor x = Tensor::zeros({kRows, kWidth}), w = Tensor::zeros({kWidth, kWidth});
  Tensor y = Tensor::zeros({kRows, kWidth});
  const double gemm =
      shortest([&] { ctx.run<Gemm>(x, Transpose::no, w, Transpose::yes, y.view(), 0.0F); });
  const Tensor from = Tensor::zeros({kLong});
  Tensor to = Tensor::zeros({kLong});
  const double copy = shortest([&] { to.copy_from(from); });
  return {2.0 * kRows * kWidth * kWidth / gemm, 2.0 * 4.0 * kLong / copy};
}

}  // namespace weft::tools
