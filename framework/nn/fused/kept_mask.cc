#include "framework/nn/fused/kept_mask.h"

#include <algorithm>
#include <utility>

namespace weft {

void SparedMemory::spare(Tensor& array) {
  next_ = static_cast<char*>(array.view().data);
  left_ = array.bytes();
}

Storage SparedMemory::allocate(std::size_t bytes) {
  constexpr std::size_t alignment = 64;
  const std::size_t wanted = std::max(alignment, (bytes + alignment - 1) / alignment * alignment);
  if (wanted > left_) return otherwise_.allocate(bytes);
  char* data = std::exchange(next_, next_ + wanted);
  left_ -= wanted;
  return {data, bytes, Device{}, nullptr};
}

KeptMask::KeptMask(Context& ctx, Tensor mask, SparedMemory& memory) : numbers_(std::move(mask)) {
  if (!numbers_) return;
  const float* from = numbers_.data<float>();
  const float* end = from + numbers_.size();
  const float* kept = std::find_if(from, end, [](float factor) { return factor != 0.0F; });
  if (kept != end) kept_ = *kept;
  const auto fits = [&](float factor) { return factor == 0.0F || factor == kept_; };
  if (!std::all_of(from, end, fits)) return;
  Tensor bytes = ctx.empty(numbers_.shape(), DType::u8);
  std::transform(from, end, bytes.data<std::uint8_t>(),
                 [](float factor) { return static_cast<std::uint8_t>(factor != 0.0F); });
  memory.spare(numbers_);
  numbers_ = std::move(bytes);
}

}  // namespace weft
