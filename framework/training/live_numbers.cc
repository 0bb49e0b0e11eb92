#include "framework/training/live_numbers.h"

#include <algorithm>

namespace weft {

void LiveNumbers::find(const Parameter& parameter, std::span<const Tensor* const> arrays) {
  const bool is_known = weights_ == parameter.value.cview().data && version_ == parameter.version &&
                        size_ == parameter.value.size();
  if (is_known) return;
  size_ = parameter.value.size();
  count_ = 0;
  words_.assign(static_cast<std::size_t>((size_ + 63) / 64), 0);
  for (const Tensor* array : arrays) {
    if (!*array) continue;
    const auto* numbers = array->data<float>();
    for (std::int64_t i = 0; i < size_; ++i) {
      if (std::bit_cast<std::uint32_t>(numbers[i]) != 0) set(i);
    }
  }
}

void LiveNumbers::add(const RowGradient& blocks) {
  const ConstView values = blocks.values();
  const std::int64_t width = values.cols();
  for (std::size_t b = 0; b < blocks.rows().size(); ++b) {
    const std::int64_t first = std::int64_t{blocks.rows()[b]} * width;
    const float* numbers = values.row<float>(static_cast<std::int64_t>(b));
    for (std::int64_t i = 0; i < width; ++i) {
      if (std::bit_cast<std::uint32_t>(numbers[i]) != 0) set(first + i);
    }
  }
}

void LiveNumbers::remember(const Parameter& parameter) {
  weights_ = parameter.value.cview().data;
  version_ = parameter.version;
}

void LiveNumbers::in_slice(std::int64_t begin, std::int64_t count,
                           std::vector<std::int32_t>& found) const {
  found.clear();
  const auto first = static_cast<std::size_t>(begin / 64);
  const std::size_t end =
      std::min(words_.size(), first + static_cast<std::size_t>((count + 63) / 64));
  for (std::size_t w = first; w < end; ++w) {
    for (std::uint64_t word = words_[w]; word != 0; word &= word - 1) {
      const auto bit = static_cast<std::int64_t>(std::countr_zero(word));
      found.push_back(static_cast<std::int32_t>(static_cast<std::int64_t>(w - first) * 64 + bit));
    }
  }
}

}  // namespace weft
