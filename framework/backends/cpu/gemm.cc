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

// Rows r, r + s, r + 2 s, ... of the windows (s = 2 w + 1) lie behind each other without overlap:
// together they are an ordinary matrix with s d columns.
struct Phases {
  Phases(ConstView rows, int window)
      : step(2 * window + 1), count(rows.rows()), width(rows.cols()) {}

  std::int64_t rows(std::int64_t phase) const { return (count - phase + step - 1) / step; }
  // The windows of a phase as a matrix; `x` points at the first row of the array.
  template <class V>
  V windows(V x, std::int64_t phase, int window) const {
    return V(x.slice(phase - window, 1).data, x.dtype, {rows(phase), step * width});
  }

  std::int64_t step, count, width;
};

void window_affine(Stream& stream, ConstView x, int window, ConstView w, ConstView b, View y) {
  const Phases phases(x, window);
  fill_rows(b, y);
  for (std::int64_t p = 0; p < phases.step && p < phases.count; ++p) {
    gemm(stream, phases.windows(x, p, window), Transpose::no, w, Transpose::yes,
         y.every(phases.step, p, phases.rows(p)), 1.0F);
  }
}

void window_affine_backward_input(Stream& stream, ConstView dy, int window, ConstView w, View dx) {
  const Phases phases(dx, window);
  for (std::int64_t p = 0; p < phases.step && p < phases.count; ++p) {
    gemm(stream, dy.every(phases.step, p, phases.rows(p)), Transpose::no, w, Transpose::no,
         phases.windows(dx, p, window), 1.0F);
  }
}

void window_affine_backward_weight(Stream& stream, ConstView dy, ConstView x, int window, View dw) {
  const Phases phases(x, window);
  for (std::int64_t p = 0; p < phases.step && p < phases.count; ++p) {
    gemm(stream, dy.every(phases.step, p, phases.rows(p)), Transpose::yes,
         phases.windows(x, p, window), Transpose::no, dw, 1.0F);
  }
}

const KernelRegistration<Gemm> gemm_kernel{DeviceKind::cpu, gemm};
const KernelRegistration<Affine> affine_kernel{DeviceKind::cpu, affine};
const KernelRegistration<WindowAffine> window_kernel{DeviceKind::cpu, window_affine};
const KernelRegistration<WindowAffineBackwardInput> window_input_kernel{
    DeviceKind::cpu, window_affine_backward_input};
const KernelRegistration<WindowAffineBackwardWeight> window_weight_kernel{
    DeviceKind::cpu, window_affine_backward_weight};

}  // namespace

}  // namespace weft
