#include "framework/backends/cpu/layer_products.h"

#include <algorithm>

#include "framework/backends/cpu/kept_memory.h"
#include "framework/backends/cpu/product.h"
#include "framework/backends/cpu/tile_strip.h"

namespace weft::cpu {

namespace {

// Large enough for OpenBLAS to work well.
constexpr std::int64_t kStrip = 128;
// The rows of a chunk stay in the second cache beside the weights.
constexpr std::int64_t kMostRows = 192;

class PlainProducts final : public LayerProducts {
 public:
  explicit PlainProducts(const LayerFactors& factors) : f_(factors) {}

  std::int64_t strip() const override { return kStrip; }

  void forward(std::int64_t first, std::int64_t count, float* z) const override {
    const Rows x = rows(first, count);
    multiply({.transpose_b = true,
              .m = count,
              .n = f_.outputs,
              .k = f_.x.length(),
              .a = x.data,
              .lda = x.stride,
              .b = f_.w,
              .ldb = f_.x.length(),
              .c = z,
              .ldc = f_.outputs,
              .bias = f_.shift});
  }

  void begin_chunk(std::int64_t first, std::int64_t count) override {
    first_ = first;
    count_ = count;
    dz_ = kept_array<float>(Kept::gradients, count * f_.outputs);
  }
  float* dz_of(std::int64_t first) const override { return dz_ + (first - first_) * f_.outputs; }

  void backward(std::int64_t first, std::int64_t count, float* dx) const override {
    multiply({.m = count,
              .n = f_.x.length(),
              .k = f_.outputs,
              .a = dz_of(first),
              .lda = f_.outputs,
              .b = f_.w,
              .ldb = f_.x.length(),
              .c = dx,
              .ldc = f_.x.length()});
  }

  std::int64_t gradient_parts() const override { return 1; }
  void add_gradient(std::int64_t, float* d_w, bool is_fresh) const override {
    const Rows x = rows(first_, count_);
    multiply({.transpose_a = true,
              .m = f_.outputs,
              .n = f_.x.length(),
              .k = count_,
              .a = dz_,
              .lda = f_.outputs,
              .b = x.data,
              .ldb = x.stride,
              .beta = is_fresh ? 0.0F : 1.0F,
              .c = d_w,
              .ldc = f_.x.length()});
  }

 private:
  struct Rows {
    const float* data;
    std::int64_t stride;
  };
  Rows rows(std::int64_t first, std::int64_t count) const {
    if (f_.x.seen == nullptr) return {f_.x.data + first * f_.x.stride, f_.x.stride};
    auto* gathered = kept_array<float>(Kept::rows, count * f_.x.length());
    gather_wide_rows(f_.x, first, count, gathered);
    return {gathered, f_.x.length()};
  }

  LayerFactors f_;
  std::int64_t first_ = 0, count_ = 0;
  float* dz_ = nullptr;
};

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
      return static_cast<std::size_t>(strips_of(weights.lines) * steps_of(weights.depth) *
                                      kStepWords) *
             sizeof(std::uint32_t);
    case ProductWay::vectors: {
      const std::int64_t columns = vector_unit()->columns;
      const std::int64_t panels = (weights.lines + columns - 1) / columns;
      return static_cast<std::size_t>(panels * columns * weights.depth) * sizeof(float);
    }
    default:
      return 0;
  }
}

std::unique_ptr<LayerProducts> plain_layer_products(const LayerFactors& factors) {
  return std::make_unique<PlainProducts>(factors);
}

std::unique_ptr<LayerProducts> layer_products(const LayerFactors& factors, Way way,
                                              const WorkSharing& sharing) {
  switch (way_of_product(factors.outputs, factors.x.length())) {
    case ProductWay::tiles:
      return tile_layer_products(factors, way, sharing);
    case ProductWay::vectors:
      return vector_layer_products(*vector_unit(), factors, way, sharing);
    default:
      return plain_layer_products(factors);
  }
}

}  // namespace weft::cpu
