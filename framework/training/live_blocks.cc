#include "framework/training/live_blocks.h"

#include <algorithm>
#include <bit>

namespace weft {
namespace {

bool is_zero(const float* block) {
  std::uint32_t bits = 0;
  for (std::int64_t i = 0; i < kRowGradientBlock; ++i) {
    bits |= std::bit_cast<std::uint32_t>(block[i]);
  }
  return bits == 0;
}

}  // namespace

void LiveBlocks::find(const Parameter& parameter, ArrayPart part,
                      std::span<const Tensor* const> arrays) {
  const bool is_known = weights_ == parameter.value.cview().data && version_ == parameter.version &&
                        size_ == parameter.value.size();
  if (is_known) return;
  size_ = parameter.value.size();
  part_size_ = part.size();
  count_ = 0;
  follow_plain_step_ = false;
  const std::int64_t blocks = size_ / kRowGradientBlock;
  words_.assign(static_cast<std::size_t>((blocks + 63) / 64), 0);
  for (const Tensor* array : arrays) {
    if (!*array) continue;
    const float* numbers = array->data<float>() + (array->size() == size_ ? part.begin : 0);
    const std::int64_t first = part.begin / kRowGradientBlock;
    for (std::int64_t b = 0; b < part_size_ / kRowGradientBlock; ++b) {
      if (!is_zero(numbers + b * kRowGradientBlock)) set(first + b);
    }
  }
}

void LiveBlocks::add(const RowGradient& gradient) {
  for (const std::int32_t block : gradient.rows()) set(block);
}

void LiveBlocks::remember(const Parameter& parameter, bool was_plain) {
  weights_ = parameter.value.cview().data;
  version_ = parameter.version;
  follow_plain_step_ = was_plain;
}

void LiveBlocks::in_slice(std::int64_t begin, std::int64_t count,
                          std::vector<std::int32_t>& found) const {
  found.clear();
  constexpr std::int64_t kOfWord = 64 * kRowGradientBlock;  // elements
  const auto first = static_cast<std::size_t>(begin / kOfWord);
  const auto words = static_cast<std::size_t>((count + kOfWord - 1) / kOfWord);
  const std::size_t end = std::min(words_.size(), first + words);
  for (std::size_t w = first; w < end; ++w) {
    for (std::uint64_t word = words_[w]; word != 0; word &= word - 1) {
      found.push_back(static_cast<std::int32_t>(w * 64) + std::countr_zero(word));
    }
  }
}

}  // namespace weft
