#include "tests/conformance/updates/replayed_masks.h"

#include <iterator>
#include <stdexcept>

#include <fmt/format.h>

namespace weft::conformance {

void ReplayedMasks::fill(std::string_view site, std::int64_t offset, double rate, View mask) {
  const MaskRecord& recorded = find(site);
  const Tensor kept = tensors_.tensor(recorded.tensor);
  if (kept.size() != mask.size() || offset != 0 || recorded.rate != rate) {
    throw std::runtime_error(fmt::format("the mask of {} has {} elements at rate {}, not {} at {}",
                                         site, kept.size(), recorded.rate, mask.size(), rate));
  }
  copy(kept, 0, rate, mask);
}

// Rows are asked for in the order in which the reference drew them, all at once or in parts.
void ReplayedMasks::fill_rows(std::string_view site, std::span<const std::int64_t> offsets,
                              double rate, View mask) {
  const MaskRecord& recorded = find(site);
  const Tensor kept = tensors_.tensor(recorded.tensor);
  const std::int64_t width = offsets.empty() ? 0 : mask.size() / std::ssize(offsets);
  for (std::size_t i = 0; i < offsets.size(); ++i) {
    const std::int64_t from = row_of(recorded.site, offsets[i]) * width;
    if (from + width > kept.size() || recorded.rate != rate) {
      throw std::runtime_error(
          fmt::format("the mask of {} has {} elements at rate {}, not {} at "
                      "{}",
                      site, kept.size(), recorded.rate, from + width, rate));
    }
    float* to = mask.as<float>() + static_cast<std::int64_t>(i) * width;
    copy(kept, from, rate, View(to, DType::f32, {1, width}));
  }
}

std::int64_t ReplayedMasks::row_of(const std::string& site, std::int64_t offset) {
  std::int64_t& next = filled_[site];
  if (!repeats_) return next++;
  const auto [row, is_new] = rows_[site].try_emplace(offset, next);
  next += is_new ? 1 : 0;
  return row->second;
}

void ReplayedMasks::copy(const Tensor& kept, std::int64_t from, double rate, View mask) {
  const auto scale = static_cast<float>(1.0 / (1.0 - rate));
  for (std::int64_t i = 0; i < mask.size(); ++i) {
    mask.as<float>()[i] = kept.data<std::uint8_t>()[from + i] != 0 ? scale : 0.0F;
  }
}

// The parser's site is called "state" in records and NAME/state here.
const MaskRecord& ReplayedMasks::find(std::string_view site) const {
  for (const MaskRecord& mask : masks_) {
    if (mask.site == site || (mask.site == "state" && site.ends_with("/state"))) return mask;
  }
  throw std::runtime_error(fmt::format("no recorded mask for {}", site));
}

}  // namespace weft::conformance
