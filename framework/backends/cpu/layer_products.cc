#include "framework/backends/cpu/layer_products.h"

#include <algorithm>

#include "framework/backends/cpu/product.h"
#include "framework/backends/cpu/tile_strip.h"
#include "framework/backends/cpu/vector_panel.h"

namespace weft::cpu {

namespace {

// The rows of a chunk stay in the second cache beside the weights.
constexpr std::int64_t kMostRows = 192;

}  // namespace

std::int64_t rows_of_chunk(std::int64_t rows) {
  const std::int64_t chunks = std::max<std::int64_t>(1, (rows + kMostRows - 1) / kMostRows);
  constexpr std::int64_t kStep = 32;
  const std::int64_t each = (rows + chunks - 1) / chunks;
  return std::max(kStep, (each + kStep - 1) / kStep * kStep);
}

void gather_wide_rows(const WideRows& x, std::int64_t first, std::int64_t count, float* to) {
  for (std::int64_t i = first * x.parts; i < (first + count) * x.parts; ++i, to += x.width) {
    if (x.seen[i] < 0) {
      std::fill_n(to, x.width, 0.0F);
    } else {
      std::copy_n(x.data + x.seen[i] * x.stride, x.width, to);
    }
  }
}

std::size_t packed_bytes(const Factor& weights) {
  switch (way_of_product(weights.lines, weights.depth)) {
    case ProductWay::tiles:
      return tile_packing(weights).size();
    case ProductWay::vectors:
      return vector_packing(*vector_unit(), weights).size();
    case ProductWay::library:
      break;
  }
  return 0;
}

Factor weights_of(const LayerFactors& factors, Way way) {
  const std::int64_t inputs = factors.x.length();
  return way == Way::forward ? Factor{factors.w, inputs, true, factors.outputs, inputs}
                             : Factor{factors.w, inputs, false, inputs, factors.outputs};
}

std::unique_ptr<LayerProducts> layer_products(const LayerFactors& factors, Way way,
                                              const WorkSharing& sharing) {
  switch (way_of_product(factors.outputs, factors.x.length())) {
    case ProductWay::tiles:
      return tile_layer_products(factors, way, sharing);
    case ProductWay::vectors:
      return vector_layer_products(*vector_unit(), factors, way, sharing);
    case ProductWay::library:
      break;
  }
  return plain_layer_products(factors);
}

}  // namespace weft::cpu
