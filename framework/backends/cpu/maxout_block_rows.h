// Shared by the passes of a maxout block: blocks of its rows, and rows of arrays as f32 numbers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "framework/backends/cpu/gemm/layer_gemms.h"
#include "framework/backends/cpu/gemm/row_blocks.h"
#include "framework/ops/maxout_block.h"
#include "framework/precision/convert.h"
#include "framework/precision/element_type.h"

namespace weft::cpu {

inline MaxoutBlockFormats formats_of(const MaxoutBlockLayer& layer) {
  return layer.formats == nullptr ? MaxoutBlockFormats() : *layer.formats;
}

inline LayerFactors factors_of(ConstView x, const MaxoutBlockLayer& layer) {
  const MaxoutBlockFormats formats = formats_of(layer);
  WideRows wide{x.data, x.row_stride(), x.cols()};
  wide.type = x.dtype;
  wide.rounded = formats.rows;
  wide.factors = formats.factors;
  if (layer.seen) {
    wide.seen = layer.seen.as<std::int32_t>();
    wide.parts = layer.seen.cols();
  }
  LayerFactors factors{wide, layer.weights.data, layer.bias.as<float>(), layer.weights.rows(),
                       layer.bias.cols()};
  factors.w_type = layer.weights.dtype;
  return factors;
}

// Numbers of the format `held` rounded to another one: which they are of then.
inline NumberFormat round_numbers(NumberFormat held, NumberFormat format, float* numbers,
                                  std::int64_t count) {
  if (format == NumberFormat::f32) return held;
  return round_from(held, format, {numbers, static_cast<std::size_t>(count)});
}
inline NumberFormat round_numbers(NumberFormat format, float* numbers, std::int64_t count) {
  return round_numbers(NumberFormat::f32, format, numbers, count);
}

// f32 memory for a row that lies nowhere in f32. Views come by reference: to copy one for each row
// takes longer than to add two rows.
class RowMemory {
 public:
  explicit RowMemory(std::int64_t width) : numbers_(static_cast<std::size_t>(width)) {}

  float* numbers() { return numbers_.data(); }

  // Row `i` where it lies, or cast to here.
  const float* read(const ConstView& rows, std::int64_t i) {
    if (rows.dtype == DType::f32) return rows.row<float>(i);
    const auto* bits = static_cast<const std::uint16_t*>(rows.data) + i * rows.row_stride();
    widen(format_of(rows.dtype), {bits, numbers_.size()}, numbers_);
    return numbers();
  }
  // Where row `i` is to be written: in its place, or here until it is stored. Rows that are kept
  // nowhere stay here.
  float* place(const View& rows, std::int64_t i) {
    return rows && rows.dtype == DType::f32 ? rows.row<float>(i) : numbers();
  }
  void store(const View& rows, std::int64_t i) {
    if (!rows || rows.dtype == DType::f32) return;
    auto* bits = static_cast<std::uint16_t*>(rows.data) + i * rows.row_stride();
    narrow(format_of(rows.dtype), numbers_, {bits, numbers_.size()});
  }

 private:
  std::vector<float> numbers_;
};

// The factors of row `i`; null if nothing is dropped.
inline const float* mask_of(const MaxoutBlockLayer& layer, std::int64_t i, RowMemory& memory) {
  if (!layer.mask) return nullptr;
  const std::int32_t place = layer.place.as<std::int32_t>()[i];
  if (layer.mask.dtype == DType::f32) return layer.mask.row<float>(place);
  const auto* is_kept = layer.mask.row<std::uint8_t>(place);
  float* factors = memory.numbers();
  const float scale = layer.keep_scale;
  // Without a branch: which numbers are dropped cannot be guessed.
  for (std::int64_t j = 0; j < layer.mask.cols(); ++j) {
    factors[j] = is_kept[j] != 0 ? scale : 0.0F;
  }
  return factors;
}

// The number of the row in the middle of those that row `i` sees.
inline std::int32_t middle_of(const ConstView& seen, std::int64_t i) {
  return seen.row<std::int32_t>(i)[seen.cols() / 2];
}

}  // namespace weft::cpu
