// The products of a layer by OpenBLAS.
#include "framework/backends/cpu/chunk_products.h"
#include "framework/backends/cpu/product.h"

namespace weft::cpu {

namespace {

// Large enough for OpenBLAS to work well.
constexpr std::int64_t kStrip = 128;

class PlainProducts final : public ChunkProducts {
 public:
  explicit PlainProducts(const LayerFactors& factors) : ChunkProducts(factors) {}

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
};

}  // namespace

std::unique_ptr<LayerProducts> plain_layer_products(const LayerFactors& factors) {
  return std::make_unique<PlainProducts>(factors);
}

}  // namespace weft::cpu
