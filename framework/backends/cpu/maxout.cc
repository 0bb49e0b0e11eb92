#include "framework/ops/maxout.h"

#include <algorithm>

#include "framework/backends/cpu/base/clones.h"
#include "framework/backends/cpu/vector_math.h"

namespace weft {

namespace {

// The number of pieces is a constant in the loops that matter, so that they become vector code.
template <int kPieces>
inline void forward(const float* z, std::int64_t count, float* y, std::uint8_t* winners) {
  max_of_pieces(z, count, kPieces, y, winners);
}

WEFT_CPU_CLONES void maxout(const float* z, std::int64_t count, int pieces, float* y,
                            std::uint8_t* winners) {
  if (pieces == 3) {
    forward<3>(z, count, y, winners);
  } else if (pieces == 2) {
    forward<2>(z, count, y, winners);
  } else {
    max_of_pieces(z, count, pieces, y, winners);
  }
}

void maxout_forward(Stream&, ConstView z, View y, View winners) {
  maxout(z.as<float>(), y.size(), static_cast<int>(z.cols()), y.as<float>(),
         winners.as<std::uint8_t>());
}

// Zeros in long stores, then one number for each output: quicker than choosing for every piece.
WEFT_CPU_CLONES void spread(const float* dy, const std::uint8_t* winners, std::int64_t count,
                            int pieces, float* dz) {
  constexpr std::int64_t kBlock = 128;
  for (std::int64_t from = 0; from < count; from += kBlock) {
    const std::int64_t until = std::min(count, from + kBlock);
    std::fill_n(dz + from * pieces, (until - from) * pieces, 0.0F);
    for (std::int64_t i = from; i < until; ++i) dz[i * pieces + winners[i]] = dy[i];
  }
}

void maxout_backward(Stream&, ConstView dy, ConstView winners, View dz) {
  spread(dy.as<float>(), winners.as<std::uint8_t>(), dy.size(), static_cast<int>(dz.cols()),
         dz.as<float>());
}

const KernelRegistration<MaxoutForward> forward_kernel{DeviceKind::cpu, maxout_forward};
const KernelRegistration<MaxoutBackward> backward_kernel{DeviceKind::cpu, maxout_backward};

}  // namespace

}  // namespace weft
