#include "framework/ops/gemm.h"

#include "framework/backends/cpu/gemm/product.h"

namespace weft {

namespace {

cpu::Product product_of(ConstView a, bool transpose_a, ConstView b, bool transpose_b, View c) {
  return {.transpose_a = transpose_a,
          .transpose_b = transpose_b,
          .m = c.rows(),
          .n = c.cols(),
          .k = transpose_a ? a.rows() : a.cols(),
          .a = a.as<float>(),
          .lda = a.row_stride(),
          .b = b.as<float>(),
          .ldb = b.row_stride(),
          .c = c.as<float>(),
          .ldc = c.row_stride()};
}

void gemm(Stream&, ConstView a, Transpose transpose_a, ConstView b, Transpose transpose_b, View c,
          float beta) {
  cpu::Product product =
      product_of(a, transpose_a == Transpose::yes, b, transpose_b == Transpose::yes, c);
  product.beta = beta;
  cpu::multiply(product);
}

void affine(Stream&, ConstView x, ConstView w, ConstView b, View y) {
  cpu::Product product = product_of(x, false, w, true, y);
  product.bias = b.as<float>();
  cpu::multiply(product);
}

const KernelRegistration<Gemm> gemm_kernel{DeviceKind::cpu, gemm};
const KernelRegistration<Affine> affine_kernel{DeviceKind::cpu, affine};

}  // namespace

}  // namespace weft
