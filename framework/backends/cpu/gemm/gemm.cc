#include "framework/ops/gemm.h"

#include "framework/backends/cpu/base/scratch_array.h"
#include "framework/backends/cpu/gemm/host_gemm.h"
#include "framework/backends/cpu/gemm/tile_gemm.h"
#include "framework/precision/element_type.h"

namespace weft {

namespace {

// A matrix in f32: itself, or widened.
struct WideMatrix {
  explicit WideMatrix(ConstView matrix) : view(matrix) {
    if (matrix.dtype == DType::f32) return;
    memory = cpu::ScratchArray<float>(cpu::ScratchUse::inputs, matrix.size());
    float* numbers = memory;
    const View wide(numbers, DType::f32, {matrix.rows(), matrix.cols()});
    cast_rows(matrix, wide);
    view = wide;
  }

  ConstView view;
  cpu::ScratchArray<float> memory = {};
};

// The sums of a GEMM in f32: in c, or beside it until they are rounded to its type.
class Sums {
 public:
  Sums(View c, float beta) : c_(c), wide_(c) {
    if (c.dtype == DType::f32) return;
    memory_ = cpu::ScratchArray<float>(cpu::ScratchUse::rows, c.size());
    float* numbers = memory_;
    wide_ = View(numbers, DType::f32, {c.rows(), c.cols()});
    if (beta != 0.0F) cast_rows(c, wide_);
  }

  View wide() const { return wide_; }
  void finish() {
    if (c_.dtype != DType::f32) cast_rows(wide_, c_);
  }

 private:
  View c_, wide_;
  cpu::ScratchArray<float> memory_;
};

struct Operands {
  ConstView a;
  bool transpose_a;
  ConstView b;
  bool transpose_b;

  std::int64_t m() const { return transpose_a ? a.cols() : a.rows(); }
  std::int64_t n() const { return transpose_b ? b.rows() : b.cols(); }
  std::int64_t k() const { return transpose_a ? a.rows() : a.cols(); }
};

// Factors of one 16-bit format are packed for tiles as they are.
// With `a` transposed the GEMM is the gradient of weights, whose depth is the number of rows of the
// batch. That number must not choose the kernel, so m takes its place.
bool are_tiles(const Operands& p) {
  return p.a.dtype == p.b.dtype && is_low(p.a.dtype) &&
         cpu::gemm_path(p.n(), p.transpose_a ? p.m() : p.k(), format_of(p.a.dtype)) ==
             cpu::GemmPath::tiles;
}

cpu::Factor factor_of(ConstView matrix, bool depth_contiguous, std::int64_t lines,
                      std::int64_t depth) {
  cpu::Factor factor{matrix.data, matrix.row_stride(), depth_contiguous, lines, depth};
  factor.type = matrix.dtype;
  factor.format = format_of(matrix.dtype);
  return factor;
}

// Other formats are widened to f32 first, which is exact: results differ by the order of sums
// alone.
void multiply(const Stream& stream, const Operands& p, View c, float beta, const float* bias) {
  if (are_tiles(p)) {
    if (p.m() == 0 || p.n() == 0) return;
    return cpu::tile_multiply(factor_of(p.a, !p.transpose_a, p.m(), p.k()),
                              factor_of(p.b, p.transpose_b, p.n(), p.k()),
                              {beta, c.as<float>(), c.row_stride(), bias}, stream.tasks());
  }
  const WideMatrix a(p.a), b(p.b);
  cpu::multiply({.transpose_a = p.transpose_a,
                 .transpose_b = p.transpose_b,
                 .m = p.m(),
                 .n = p.n(),
                 .k = p.k(),
                 .a = a.view.as<float>(),
                 .lda = a.view.row_stride(),
                 .b = b.view.as<float>(),
                 .ldb = b.view.row_stride(),
                 .beta = beta,
                 .c = c.as<float>(),
                 .ldc = c.row_stride(),
                 .bias = bias,
                 .tasks = stream.tasks()});
}

void gemm(Stream& stream, ConstView a, Transpose transpose_a, ConstView b, Transpose transpose_b,
          View c, float beta) {
  Sums sums(c, beta);
  multiply(stream, {a, transpose_a == Transpose::yes, b, transpose_b == Transpose::yes},
           sums.wide(), beta, nullptr);
  sums.finish();
}

void affine(Stream& stream, ConstView x, ConstView w, ConstView b, View y) {
  Sums sums(y, 0.0F);
  const WideMatrix bias(b);
  multiply(stream, {x, false, w, true}, sums.wide(), 0.0F, bias.view.as<float>());
  sums.finish();
}

const KernelRegistration<Gemm> gemm_kernel{DeviceKind::cpu, gemm, KernelFormats::any};
const KernelRegistration<Affine> affine_kernel{DeviceKind::cpu, affine, KernelFormats::any};

}  // namespace

}  // namespace weft
