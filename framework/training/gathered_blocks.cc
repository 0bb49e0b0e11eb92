#include "framework/training/gathered_blocks.h"

#include <cstddef>
#include <cstring>

#include "framework/nn/row_gradient_block.h"

namespace weft {
namespace {

// Blocks lie in no order that the processor could foresee.
constexpr std::size_t kAhead = 8;

// A call of its own for each block would take longer than to copy it.
void copy_block(const float* from, float* to) {
  std::memcpy(to, from, kRowGradientBlock * sizeof(float));
}

View row_of(std::vector<float>& numbers) {
  return {numbers.data(), DType::f32, {static_cast<std::int64_t>(numbers.size())}};
}

}  // namespace

View GatheredBlocks::gather(std::vector<float>& to, const float* from, std::int32_t first) const {
  to.resize(blocks.size() * kRowGradientBlock);
  const auto block = [&](std::size_t i) {
    return from + std::int64_t{blocks[i] - first} * kRowGradientBlock;
  };
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    if (i + kAhead < blocks.size()) __builtin_prefetch(block(i + kAhead));
    copy_block(block(i), to.data() + i * kRowGradientBlock);
  }
  return row_of(to);
}

View GatheredBlocks::gather_gradient(const RowGradient* rows) {
  gradient.assign(blocks.size() * kRowGradientBlock, 0.0F);
  if (rows == nullptr) return row_of(gradient);
  const ConstView values = rows->values();
  places_.resize(blocks.size());
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    places_[i] = rows->place(blocks[i]);
    if (places_[i] >= 0) __builtin_prefetch(values.row<float>(places_[i]));
  }
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    if (places_[i] < 0) continue;
    copy_block(values.row<float>(places_[i]), gradient.data() + i * kRowGradientBlock);
  }
  return row_of(gradient);
}

void GatheredBlocks::scatter(const std::vector<float>& from, float* to, std::int32_t first) const {
  const float* next = from.data();
  for (const std::int32_t block : blocks) {
    copy_block(next, to + std::int64_t{block - first} * kRowGradientBlock);
    next += kRowGradientBlock;
  }
}

}  // namespace weft
