// Whether a GPU multiplies 16-bit matrices in units of their own.
#pragma once

namespace weft::cuda {

// From compute capability 7.0 on. Of those of 7.5 some parts have none, which a timed GEMM
// shows: with the units it is several times as fast as one in f32, without them twice at most.
bool has_fp16_matrix_units(int device, int major, int minor);

}  // namespace weft::cuda
