// The GEMMs of a layer by OpenBLAS.
#include "framework/backends/cpu/gemm/dense_backward.h"
#include "framework/backends/cpu/gemm/host_gemm.h"

namespace weft::cpu {

namespace {

// Large enough for OpenBLAS to work well.
constexpr std::int64_t kBlockRows = 128;

class PlainForward final : public ForwardGemms {
 public:
  PlainForward(const LayerFactors& factors, std::int64_t rows) : f_(factors), rows_(rows) {}

  std::vector<RowRange> blocks() const override { return RowBlocks{{0, rows_}, kBlockRows}.list(); }

  void forward(std::int64_t first, std::int64_t count, float* z) const override {
    const StridedRows x = strided_rows(f_.x, first, count);
    multiply({.transpose_b = true,
              .m = count,
              .n = f_.outputs,
              .k = f_.x.length(),
              .a = x.data,
              .lda = x.stride,
              .b = f_.weights(),
              .ldb = f_.x.length(),
              .c = z,
              .ldc = f_.outputs,
              .bias = f_.bias});
  }

 private:
  LayerFactors f_;
  std::int64_t rows_;
};

class PlainBackward final : public DenseBackward {
 public:
  explicit PlainBackward(const LayerFactors& factors) : DenseBackward(factors) {}

  std::int64_t block_rows() const override { return kBlockRows; }

  void backward(std::int64_t first, std::int64_t count, const float* d, float* dx) override {
    multiply({.m = count,
              .n = f_.x.length(),
              .k = f_.outputs,
              .a = spread(first, count, d),
              .lda = f_.outputs,
              .b = f_.weights(),
              .ldb = f_.x.length(),
              .c = dx,
              .ldc = f_.x.length()});
  }

  std::int64_t gradient_parts() const override { return 1; }
  void add_gradient(std::int64_t, float* d_w, bool is_uninitialised) const override {
    const StridedRows x = strided_rows(f_.x, first_, count_);
    multiply({.transpose_a = true,
              .m = f_.outputs,
              .n = f_.x.length(),
              .k = count_,
              .a = dz_,
              .lda = f_.outputs,
              .b = x.data,
              .ldb = x.stride,
              .beta = is_uninitialised ? 0.0F : 1.0F,
              .c = d_w,
              .ldc = f_.x.length()});
  }
};

}  // namespace

std::unique_ptr<ForwardGemms> plain_forward(const LayerFactors& factors, std::int64_t rows) {
  return std::make_unique<PlainForward>(factors, rows);
}

std::unique_ptr<BackwardGemms> plain_backward(const LayerFactors& factors) {
  return std::make_unique<PlainBackward>(factors);
}

}  // namespace weft::cpu
