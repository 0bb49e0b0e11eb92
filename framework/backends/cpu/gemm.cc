#include "framework/ops/gemm.h"

#include <algorithm>

#include "framework/backends/cpu/blas.h"

namespace weft {

namespace {

void gemm(Stream&, ConstView a, Transpose transpose_a, ConstView b, Transpose transpose_b, View c,
          float beta) {
  const bool ta = transpose_a == Transpose::yes;
  const bool tb = transpose_b == Transpose::yes;
  cpu::sgemm(ta, tb, c.rows(), c.cols(), ta ? a.rows() : a.cols(), a.as<float>(), a.row_stride(),
             b.as<float>(), b.row_stride(), beta, c.as<float>(), c.row_stride());
}

void fill_rows(ConstView row, View y) {
  const float* from = row.as<float>();
  for (std::int64_t i = 0; i < y.rows(); ++i) std::copy_n(from, y.cols(), y.row<float>(i));
}

void affine(Stream& stream, ConstView x, ConstView w, ConstView b, View y) {
  fill_rows(b, y);
  gemm(stream, x, Transpose::no, w, Transpose::yes, y, 1.0F);
}

const KernelRegistration<Gemm> gemm_kernel{DeviceKind::cpu, gemm};
const KernelRegistration<Affine> affine_kernel{DeviceKind::cpu, affine};

}  // namespace

}  // namespace weft
