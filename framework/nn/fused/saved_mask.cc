#include "framework/nn/fused/saved_mask.h"

#include <algorithm>
#include <cstdint>
#include <utility>

namespace weft {

void SparedMemory::spare(Tensor& array) {
  next_ = static_cast<char*>(array.view().data);
  left_ = array.bytes();
  device_ = array.device();
}

Storage SparedMemory::allocate(std::size_t bytes) {
  constexpr std::size_t alignment = 64;
  const std::size_t wanted = std::max(alignment, (bytes + alignment - 1) / alignment * alignment);
  if (wanted > left_) return otherwise_.allocate(bytes);
  char* data = std::exchange(next_, next_ + wanted);
  left_ -= wanted;
  return {data, bytes, device_, nullptr};
}

namespace {

// Writes where the factors are not zero. Whether all of those are the same: asked of all of them,
// and not until one differs, so that the loop goes by vectors.
bool write_kept(const float* __restrict factors, std::int64_t count, float scale,
                std::uint8_t* __restrict kept) {
  std::uint32_t differ = 0;
  for (std::int64_t i = 0; i < count; ++i) {
    const auto is_kept = static_cast<std::uint32_t>(factors[i] != 0.0F);
    differ |= is_kept & static_cast<std::uint32_t>(factors[i] != scale);
    kept[i] = static_cast<std::uint8_t>(is_kept);
  }
  return differ == 0;
}

// The same by groups of a constant length: compilers make vectors of loops whose length they know.
bool write_kept_in_groups(const float* factors, std::int64_t count, float scale,
                          std::uint8_t* kept) {
  constexpr std::int64_t kGroup = 16;
  bool are_same = true;
  std::int64_t i = 0;
  for (; i + kGroup <= count; i += kGroup) {
    are_same &= write_kept(factors + i, kGroup, scale, kept + i);
  }
  return write_kept(factors + i, count - i, scale, kept + i) && are_same;
}

}  // namespace

SavedMask::SavedMask(Context& ctx, Tensor mask, SparedMemory& memory) : numbers_(std::move(mask)) {
  if (!numbers_) return;
  const float* from = numbers_.data<float>();
  const float* end = from + numbers_.size();
  const float* kept = std::find_if(from, end, [](float factor) { return factor != 0.0F; });
  if (kept != end) keep_scale_ = *kept;
  Tensor bytes = ctx.empty(numbers_.shape(), DType::u8);
  if (!write_kept_in_groups(from, numbers_.size(), keep_scale_, bytes.data<std::uint8_t>())) return;
  memory.spare(numbers_);
  numbers_ = std::move(bytes);
}

}  // namespace weft
