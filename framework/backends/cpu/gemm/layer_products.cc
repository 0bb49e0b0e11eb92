#include "framework/backends/cpu/gemm/layer_products.h"

#include <algorithm>
#include <span>
#include <utility>

#include "framework/backends/cpu/base/clones.h"
#include "framework/backends/cpu/base/scratch_array.h"
#include "framework/backends/cpu/gemm/product.h"
#include "framework/backends/cpu/gemm/tile_strip.h"
#include "framework/backends/cpu/gemm/vector_panel.h"
#include "framework/precision/convert.h"
#include "framework/precision/element_type.h"

namespace weft::cpu {

namespace {

// The rows of a chunk stay in the second cache beside the weights.
constexpr std::int64_t kMostRows = 192;

ProductWay way_of(const LayerFactors& factors) {
  return way_of_product(factors.outputs, factors.x.length());
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
  const std::span<float> numbers(rows, to);
  round_to(x.rounded, numbers);
  round_to(x.factors, numbers);
}

}  // namespace

std::int64_t rows_of_chunk(std::int64_t rows) {
  const std::int64_t chunks = std::max<std::int64_t>(1, (rows + kMostRows - 1) / kMostRows);
  constexpr std::int64_t kStep = 32;
  const std::int64_t each = (rows + chunks - 1) / chunks;
  return std::max(kStep, (each + kStep - 1) / kStep * kStep);
}

LyingRows lying_rows(const WideRows& x, std::int64_t first, std::int64_t count) {
  if (x.seen == nullptr && x.are_plain()) return {x.numbers() + first * x.stride, x.stride};
  ScratchArray<float> gathered(ScratchUse::rows, count * x.length());
  gather_wide_rows(x, first, count, gathered);
  const float* data = gathered;
  return {data, x.length(), std::move(gathered)};
}

GatheredFactor rows_as_depth(const WideRows& x, std::int64_t first, std::int64_t count) {
  const std::int64_t length = x.length();
  if (x.seen == nullptr || !x.are_plain()) {
    LyingRows rows = lying_rows(x, first, count);
    return {{rows.data, rows.stride, false, length, count}, std::move(rows.gathered)};
  }
  return {
      {x.numbers(), x.stride, false, length, count, x.seen + first * x.parts, x.parts, x.width}};
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
  return {factors.w, factors.x.length(), true, factors.outputs, factors.x.length()};
}

Factor backward_weights(const LayerFactors& factors) {
  return {factors.w, factors.x.length(), false, factors.x.length(), factors.outputs};
}

PackedSizes packed_sizes(const LayerFactors& factors) {
  const Factor forward = forward_weights(factors), backward = backward_weights(factors);
  switch (way_of(factors)) {
    case ProductWay::tiles:
      return {tile_packing(forward).size(), tile_packing(backward).size()};
    case ProductWay::vectors:
      return {vector_packing(*vector_unit(), forward).size(),
              is_sparse(factors) ? 0 : vector_packing(*vector_unit(), backward).size()};
    case ProductWay::library:
      break;
  }
  return {};
}

std::unique_ptr<ForwardProducts> forward_products(const LayerFactors& factors,
                                                  const WorkSharing& sharing) {
  switch (way_of(factors)) {
    case ProductWay::tiles:
      return tile_forward(factors, sharing);
    case ProductWay::vectors:
      return vector_forward(*vector_unit(), factors, sharing);
    case ProductWay::library:
      break;
  }
  return plain_forward(factors);
}

std::unique_ptr<BackwardProducts> backward_products(const LayerFactors& factors,
                                                    const WorkSharing& sharing) {
  switch (way_of(factors)) {
    case ProductWay::tiles:
      return tile_backward(factors, sharing);
    case ProductWay::vectors:
      return is_sparse(factors) ? sparse_backward(*vector_unit(), factors)
                                : vector_backward(*vector_unit(), factors, sharing);
    case ProductWay::library:
      break;
  }
  return plain_backward(factors);
}

}  // namespace weft::cpu
