#include "framework/backends/cuda/floats.h"
#include "framework/backends/cuda/launch.h"
#include "framework/ops/maxout.h"

namespace weft::cuda {
namespace {

// Of equal pieces the first wins, as on the CPU: only a larger one replaces it.
struct Largest {
  Floats z, y;
  std::uint8_t* winners;
  int pieces;
  WEFT_KERNEL void operator()(std::int64_t i) const {
    float best = z.load(0, i * pieces);
    int winner = 0;
    for (int p = 1; p < pieces; ++p) {
      const float value = z.load(0, i * pieces + p);
      winner = value > best ? p : winner;
      best = value > best ? value : best;
    }
    y.store(0, i, best);
    winners[i] = static_cast<std::uint8_t>(winner);
  }
};

struct ToWinners {
  Floats dy, dz;
  const std::uint8_t* winners;
  int pieces;
  WEFT_KERNEL void operator()(std::int64_t i) const {
    const float value = dy.load(0, i);
    for (int p = 0; p < pieces; ++p) {
      dz.store(0, i * pieces + p, p == winners[i] ? value : 0.0F);
    }
  }
};

void maxout_forward(Stream& stream, ConstView z, View y, View winners) {
  launch_elements(
      device_stream(stream), y.size(),
      Largest{floats(z), floats(y), winners.as<std::uint8_t>(), static_cast<int>(z.cols())});
}

void maxout_backward(Stream& stream, ConstView dy, ConstView winners, View dz) {
  launch_elements(
      device_stream(stream), dy.size(),
      ToWinners{floats(dy), floats(dz), winners.as<std::uint8_t>(), static_cast<int>(dz.cols())});
}

const KernelRegistration<MaxoutForward> forward_kernel{DeviceKind::cuda, maxout_forward,
                                                       KernelFormats::any};
const KernelRegistration<MaxoutBackward> backward_kernel{DeviceKind::cuda, maxout_backward,
                                                         KernelFormats::any};

}  // namespace
}  // namespace weft::cuda
