#include "framework/backends/cpu/gemm/layer_gemms.h"

#include <algorithm>
#include <cstddef>
#include <span>
#include <utility>

#include "framework/backends/cpu/base/clones.h"
#include "framework/backends/cpu/base/scratch_array.h"
#include "framework/backends/cpu/gemm/amx_panel.h"
#include "framework/backends/cpu/gemm/host_gemm.h"
#include "framework/backends/cpu/gemm/tile_gemm.h"
#include "framework/backends/cpu/gemm/vector_panel.h"
#include "framework/precision/convert.h"
#include "framework/precision/element_type.h"

namespace weft::cpu {

namespace {

// The rows of a chunk stay in the second cache beside the weights.
constexpr std::int64_t kMostRows = 192;
// Rows of weights that a thread casts at once.
constexpr std::int64_t kRowsOfPart = 32;

// One choice for all GEMMs of a layer, made from its sizes and number format alone: a document's
// numbers do not depend on the batch that it is in.
GemmPath way_of(const LayerFactors& factors) {
  return gemm_path(factors.outputs, factors.x.length(), factors.x.factors);
}

// On tiles it is no slower to compute with zeros.
bool chooses_pairs(const LayerFactors& factors) {
  return !has_tiles() && is_sparse_by_dots(factors);
}

// Row `row` of the array in f32.
void copy_row(const WideRows& x, std::int64_t row, float* to) {
  if (x.type == DType::f32) {
    std::copy_n(x.numbers() + row * x.stride, x.width, to);
  } else {
    const ConstView all(x.data, x.type, {1, x.width}, x.stride);
    cast_rows(all.slice(row, 1), View(to, DType::f32, {1, x.width}));
  }
}

// Rounded twice on purpose: first to the format in which a layer of its own would have stored these
// rows, then to that of the GEMM's factors, where these differ. Fused layers so give the numbers of
// unfused ones.
void round_rows(const WideRows& x, std::span<float> numbers) {
  const NumberFormat held = round_from(format_of(x.type), x.rounded, numbers);
  round_from(held, x.factors, numbers);
}

// Whether to cast f32 rows to bf16 is all that is done to them.
bool are_rounded_once_to_bf16(const WideRows& x) {
  return x.type == DType::f32 && x.factors == NumberFormat::bf16 &&
         (x.rounded == NumberFormat::f32 || x.rounded == NumberFormat::bf16);
}

void gather_wide_rows(const WideRows& x, std::int64_t first, std::int64_t count, float* rows) {
  float* to = rows;
  for (std::int64_t i = first * x.parts; i < (first + count) * x.parts; ++i, to += x.width) {
    const std::int64_t row = x.seen == nullptr ? i : x.seen[i];
    if (row < 0) {
      std::fill_n(to, x.width, 0.0F);
    } else {
      copy_row(x, row, to);
    }
  }
  round_rows(x, {rows, to});
}

}  // namespace

// Chunks are of about equal size, none nearly empty, and begin at multiples of 32 rows, the depth
// of a tile: each block of a chunk fills whole steps when rows are the depth of a GEMM.
std::int64_t rows_of_chunk(std::int64_t rows) {
  const std::int64_t chunks = std::max<std::int64_t>(1, (rows + kMostRows - 1) / kMostRows);
  constexpr std::int64_t kStep = 32;
  const std::int64_t each = (rows + chunks - 1) / chunks;
  return std::max(kStep, (each + kStep - 1) / kStep * kStep);
}

bool goes_by_columns(std::int64_t rows, const WorkSharing& sharing) {
  return rows <= rows_of_chunk(rows) && sharing.packed == nullptr;
}

PackedFactor cast_weights(const LayerFactors& factors, DType type, const Factor& key,
                          const WorkSharing& sharing) {
  const ConstView stored = factors.stored_weights();
  const std::int64_t outputs = stored.rows(), inputs = stored.cols();
  const Packing copy{static_cast<std::size_t>((outputs + kRowsOfPart - 1) / kRowsOfPart),
                     static_cast<std::size_t>(kRowsOfPart * inputs) * size_of(type),
                     [stored, type](std::int64_t i, void* to) {
                       const std::int64_t first = i * kRowsOfPart;
                       const std::int64_t rows = std::min(kRowsOfPart, stored.rows() - first);
                       cast_rows(stored.slice(first, rows), View(to, type, {rows, stored.cols()}));
                     }};
  return packed_weights(key, copy, sharing);
}

WidenedWeights::WidenedWeights(LayerFactors& factors, const WorkSharing& sharing) {
  if (factors.w_type == DType::f32) return;
  const GemmPath way = way_of(factors);
  if (way == GemmPath::vectors) return;
  if (way == GemmPath::tiles && packs_directly(factors.w_type, factors.x.factors)) return;
  wide_ = cast_weights(factors, DType::f32, forward_weights(factors), sharing);
  factors.w = wide_.data;
  factors.w_type = DType::f32;
}

ConvertedRows::ConvertedRows(LayerFactors& factors, std::int64_t rows) {
  WideRows& x = factors.x;
  if (x.seen == nullptr || x.are_plain()) return;
  const GemmPath way = way_of(factors);
  const Shape shape{rows, x.width};
  const ConstView all(x.data, x.type, shape, x.stride);
  if (way == GemmPath::tiles && are_rounded_once_to_bf16(x)) {
    numbers_ = ScratchArray<float>(ScratchUse::converted, (shape.size() + 1) / 2);
    float* low = numbers_;
    cast_rows(all, View(low, DType::bf16, shape));
    x = {low, x.width, x.width, x.seen, x.parts, DType::bf16, NumberFormat::f32, x.factors};
  } else if (way == GemmPath::vectors) {
    numbers_ = ScratchArray<float>(ScratchUse::converted, shape.size());
    float* numbers = numbers_;
    cast_rows(all, View(numbers, DType::f32, shape));
    round_rows(x, {numbers, static_cast<std::size_t>(shape.size())});
    x = {numbers, x.width, x.width, x.seen, x.parts};
  }
}

// Rows are copied only where they are gathered or converted; else the GEMM reads them in place.
StridedRows strided_rows(const WideRows& x, std::int64_t first, std::int64_t count) {
  if (x.seen == nullptr && x.are_plain()) return {x.numbers() + first * x.stride, x.stride};
  ScratchArray<float> gathered(ScratchUse::rows, count * x.length());
  gather_wide_rows(x, first, count, gathered);
  const float* data = gathered;
  return {data, x.length(), std::move(gathered)};
}

GatheredFactor rows_as_depth(const WideRows& x, std::int64_t first, std::int64_t count) {
  const std::int64_t length = x.length();
  if (x.seen == nullptr || !x.are_plain()) {
    StridedRows rows = strided_rows(x, first, count);
    return {{rows.data, rows.stride, false, length, count}, std::move(rows.gathered)};
  }
  return {
      {x.numbers(), x.stride, false, length, count, x.seen + first * x.parts, x.parts, x.width}};
}

Factor rows_in_memory(const WideRows& x, std::int64_t first, std::int64_t count, bool as_lines) {
  const std::int64_t length = x.length();
  Factor rows{x.data, x.stride, as_lines, as_lines ? count : length, as_lines ? length : count};
  rows.type = x.type;
  rows.format = x.factors;
  if (x.seen == nullptr) {
    rows.data = static_cast<const std::byte*>(x.data) +
                first * x.stride * static_cast<std::int64_t>(size_of(x.type));
  } else {
    rows.seen = x.seen + first * x.parts;
    rows.parts = x.parts;
    rows.width = x.width;
  }
  return rows;
}

GatheredFactor low_rows_as_depth(const WideRows& x, std::int64_t first, std::int64_t count) {
  // Numbers of bf16 in memory are factors already, unless they would be rounded to fp16 in between,
  // which has fewer exponents.
  if (x.type == DType::bf16 && x.rounded != NumberFormat::f16) {
    return {rows_in_memory(x, first, count, false)};
  }
  const StridedRows rows = strided_rows(x, first, count);
  const Shape shape{count, x.length()};
  ScratchArray<float> memory(ScratchUse::inputs, (shape.size() + 1) / 2);
  float* low = memory;
  cast_rows(ConstView(rows.data, DType::f32, shape, rows.stride), View(low, DType::bf16, shape));
  Factor factor{low, x.length(), false, x.length(), count};
  factor.type = DType::bf16;
  factor.format = x.factors;
  return {factor, std::move(memory)};
}

// Zeros in long stores, then one number for each group.
WEFT_CPU_CLONES void spread_to_winners(const LayerFactors& factors, std::int64_t first,
                                       std::int64_t count, const float* d, float* dz) {
  const std::int64_t groups = factors.groups(), pieces = factors.pieces;
  const std::uint8_t* winner = factors.winners + first * groups;
  std::fill_n(dz, count * factors.outputs, 0.0F);
  for (std::int64_t i = 0; i < count * groups; ++i) dz[i * pieces + winner[i]] = d[i];
}

Factor forward_weights(const LayerFactors& factors) {
  Factor weights{factors.w, factors.x.length(), true, factors.outputs, factors.x.length()};
  weights.type = factors.w_type;
  weights.format = factors.x.factors;
  return weights;
}

// The same memory read the other way: (outputs, inputs) as the right factor of dx = dz w.
Factor backward_weights(const LayerFactors& factors) {
  Factor weights = forward_weights(factors);
  weights.depth_contiguous = false;
  std::swap(weights.lines, weights.depth);
  return weights;
}

// Follows the choices of `forward_gemms` and `backward_gemms` below: the sparse ways pack nothing.
PackedSizes packed_sizes(const LayerFactors& factors) {
  const Factor forward = forward_weights(factors), backward = backward_weights(factors);
  switch (way_of(factors)) {
    case GemmPath::tiles:
      return {tile_packing(forward).size(),
              chooses_pairs(factors) ? 0 : tile_packing(backward).size()};
    case GemmPath::vectors:
      return {(has_windows(factors) ? window_packing(*vector_unit(), factors)
                                    : vector_packing(*vector_unit(), forward))
                  .size(),
              is_sparse(factors) ? 0 : vector_packing(*vector_unit(), backward).size()};
    case GemmPath::library:
      break;
  }
  return {};
}

std::unique_ptr<ForwardGemms> forward_gemms(const LayerFactors& factors, std::int64_t rows,
                                            const WorkSharing& sharing) {
  switch (way_of(factors)) {
    case GemmPath::tiles:
      return tile_forward(factors, rows, sharing);
    case GemmPath::vectors:
      return has_windows(factors) ? window_forward(*vector_unit(), factors, rows, sharing)
                                  : vector_forward(*vector_unit(), factors, rows, sharing);
    case GemmPath::library:
      break;
  }
  return plain_forward(factors, rows);
}

std::unique_ptr<BackwardGemms> backward_gemms(const LayerFactors& factors, std::int64_t rows,
                                              const WorkSharing& sharing) {
  switch (way_of(factors)) {
    case GemmPath::tiles:
      return chooses_pairs(factors) ? sparse_backward_by_dots(*vector_unit(), factors, sharing)
                                    : tile_backward(factors, rows, sharing);
    case GemmPath::vectors:
      return is_sparse(factors) ? sparse_backward(*vector_unit(), factors, sharing)
                                : vector_backward(*vector_unit(), factors, sharing);
    case GemmPath::library:
      break;
  }
  return plain_backward(factors);
}

}  // namespace weft::cpu
