// GEMM on the device.
#pragma once

#include <cstdint>
#include <functional>

#include "framework/backends/cuda/device_stream.h"
#include "framework/tensor/view.h"

namespace weft::cuda {

// c = op(a) op(b) + beta c + bias, with f32 accumulators and one rounding. `bias`, a row that is
// added to every row, may be empty. With `batches` above 1 this is done so many times, each time
// the given numbers of elements further on.
struct GemmArgs {
  ConstView a, b;
  bool transpose_a = false, transpose_b = false;
  View c;
  float beta = 0.0F;
  ConstView bias = {};
  bool tf32 = false;  // f32 inputs may be rounded to tf32
  std::int64_t batches = 1, a_step = 0, b_step = 0, c_step = 0;

  std::int64_t inner() const { return transpose_a ? a.rows() : a.cols(); }
};

// Runs any GEMM of f32, f16 and bf16 arrays, by the library where it can and by our own kernel
// elsewhere. The order of additions depends on the sizes alone, that of an element of c only on the
// inner size where `a` is not transposed: a row of c does not depend on how many others there are.
void run_gemm(DeviceStream& stream, const GemmArgs& args);

// By cuBLASLt: never more than one sum over the inner dimension is split, and the algorithm is the
// same for every number of rows. False, and nothing is done, for what it has no algorithm for:
// types, alignments, no inner dimension. Where that shows only when the work is handed over,
// `otherwise` takes its place.
bool gemm_by_library(DeviceStream& stream, const GemmArgs& args,
                     const std::function<void()>& otherwise);

// By our own kernel: every type and alignment; the inner dimension from its first number to its
// last, one accumulator for each element of c.
void gemm_by_tiles(DeviceStream& stream, const GemmArgs& args);

}  // namespace weft::cuda
