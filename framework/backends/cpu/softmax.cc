#include "framework/ops/softmax.h"

#include "framework/backends/cpu/base/clones.h"
#include "framework/backends/cpu/base/row_pieces.h"
#include "framework/backends/cpu/vector_exp.h"
#include "framework/backends/cpu/vector_math.h"
#include "framework/tensor/highest.h"

namespace weft {

namespace {

WEFT_CPU_CLONES void softmax_backward(Stream&, ConstView dy, ConstView y, View dx) {
  for (std::int64_t i = 0; i < y.rows(); ++i) {
    const float *share = y.row<float>(i), *d = dy.row<float>(i);
    float* to = dx.row<float>(i);
    for (std::int64_t j = 0; j < y.cols(); ++j) to[j] = share[j] * d[j];
    const float sum = sum_of(y.cols(), [=](std::ptrdiff_t j) { return to[j]; });
    for (std::int64_t j = 0; j < y.cols(); ++j) to[j] -= share[j] * sum;
  }
}

WEFT_CPU_CLONES void softmax_of_rows(ConstView x, float temperature, View y) {
  const std::int64_t d = x.cols();
  for (std::int64_t i = 0; i < x.rows(); ++i) {
    const float* in = x.row<float>(i);
    float* out = y.row<float>(i);
    const float highest = in[first_highest({in, static_cast<std::size_t>(d)})];
    for (std::int64_t j = 0; j < d; ++j) out[j] = (in[j] - highest) / temperature;
    exponentials(out, d);
    const float sum = sum_of(d, [=](std::ptrdiff_t j) { return out[j]; });
    for (std::int64_t j = 0; j < d; ++j) out[j] /= sum;
  }
}

void softmax_forward(Stream& stream, ConstView x, float temperature, View y) {
  constexpr std::int64_t kNumbersOfPiece = std::int64_t{1} << 12;
  cpu::for_row_pieces(stream.tasks(), x.rows(), x.cols(), kNumbersOfPiece,
                      [&](std::int64_t first, std::int64_t count) {
                        softmax_of_rows(x.slice(first, count), temperature, y.slice(first, count));
                      });
}

const KernelRegistration<SoftmaxForward> registered{DeviceKind::cpu, softmax_forward};
const KernelRegistration<SoftmaxBackward> backward_registered{DeviceKind::cpu, softmax_backward};

}  // namespace

}  // namespace weft
