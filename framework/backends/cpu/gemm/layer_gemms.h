// GEMMs of an affine layer over blocks of its rows, so that the work before and after them finds
// the rows in the first caches. Forward: z = x w^T + bias. Backward: dx = dz w, and d_w += dz^T x.
// The kernel is the one that host_gemm.h chooses for factors of these sizes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "framework/backends/cpu/base/scratch_array.h"
#include "framework/backends/cpu/gemm/factor.h"
#include "framework/backends/cpu/gemm/packed_weights.h"
#include "framework/backends/cpu/gemm/packing.h"
#include "framework/backends/cpu/gemm/row_blocks.h"
#include "framework/backends/cpu/gemm/vector_unit.h"
#include "framework/ops/work_sharing.h"
#include "framework/precision/format.h"
#include "framework/tensor/view.h"
#include "registry/base/export.h"

namespace weft::cpu {

// Rows, each made of `parts` rows of an array side by side: rows seen[i * parts] ..., zeros
// where negative. Without numbers a row is the array's.
struct WideRows {
  const void* data;
  std::int64_t stride, width;  // of the array's rows, in elements
  const std::int32_t* seen = nullptr;
  std::int64_t parts = 1;
  DType type = DType::f32;                   // of the array: f32, f16 or bf16
  NumberFormat rounded = NumberFormat::f32;  // a row's elements are rounded to this first,
  NumberFormat factors = NumberFormat::f32;  // and then to this, for the GEMMs

  std::int64_t length() const { return parts * width; }
  // Whether the GEMMs read the elements as they lie in memory.
  bool are_plain() const {
    return type == DType::f32 && rounded == NumberFormat::f32 && factors == NumberFormat::f32;
  }
  // Of an array of f32.
  const float* numbers() const { return static_cast<const float*>(data); }
};

struct LayerFactors {
  WideRows x;
  const void* w;      // (outputs, x.length()), of the type below
  const float* bias;  // (outputs); both contiguous
  std::int64_t outputs;
  // Outputs come in groups of so many pieces, of which one is passed on: which one, of rows
  // counted from the layer's first, (rows, groups) contiguous, is known in the backward pass.
  std::int64_t pieces = 1;
  const std::uint8_t* winners = nullptr;
  DType w_type = DType::f32;  // or f16 or bf16; see `WidenedWeights`

  // Of f32.
  const float* weights() const { return static_cast<const float*>(w); }
  ConstView stored_weights() const { return {w, w_type, {outputs, x.length()}}; }
  std::int64_t groups() const { return outputs / pieces; }
};

// Weights in 16 bits, for kernels that do not read those: a wide copy, named by the factors in
// place of the others; while this lives, or as long as packed weights do, which the layer's GEMMs
// then have to share in the same way. Else nothing is done. Throws Error(memory).
class WidenedWeights {
 public:
  WEFT_API WidenedWeights(LayerFactors& factors, const WorkSharing& sharing);

 private:
  PackedFactor wide_;
};

// Several windows see a row of the layer's input, and each would convert it. The factors name a
// copy of all `rows` instead, converted once, while this lives: on the vector unit in f32, and of
// f32 that goes to tiles or dot products as bf16 in that type. Else nothing is done. Throws
// Error(memory).
class ConvertedRows {
 public:
  WEFT_API ConvertedRows(LayerFactors& factors, std::int64_t rows);

 private:
  ScratchArray<float> numbers_;
};

// Rows that the backward pass works on at once, of so many in all. Blocks begin at multiples.
WEFT_API std::int64_t rows_of_chunk(std::int64_t rows);

// Whether rows are so few that one chunk holds them, in the second cache, and the weights are
// multiplied by them alone: then these may go by, panel by panel, packed by the thread that needs
// each.
bool goes_by_columns(std::int64_t rows, const WorkSharing& sharing);

// The forward pass. Blocks of rows may be computed on several threads at the same time, and a block
// may be shared among threads that are idle.
class ForwardGemms {
 public:
  virtual ~ForwardGemms() = default;
  // Of all rows of the layer, in order.
  virtual std::vector<RowRange> blocks() const = 0;
  // z (count, outputs) of rows [first, first + count): a block.
  virtual void forward(std::int64_t first, std::int64_t count, float* z) const = 0;
};

// The backward pass goes chunk by chunk; blocks of a chunk may be computed on several threads.
class BackwardGemms {
 public:
  virtual ~BackwardGemms() = default;
  // Rows are counted from the first one of the layer.
  virtual void begin_chunk(std::int64_t first, std::int64_t count) = 0;
  // Rows of a block of this chunk; fewer in the last one.
  virtual std::int64_t block_rows() const = 0;
  // From d (count, groups), the gradient of the winners: dx (count, x.length()), contiguous, unless
  // that is left to `end_chunk`. Notes what the gradient of w needs.
  virtual void backward(std::int64_t first, std::int64_t count, const float* d, float* dx) = 0;
  // Whether `backward` leaves dx to `end_chunk`: once all blocks of the chunk are there, it gives
  // dx of all its rows.
  virtual bool ends_with_rows() const { return false; }
  virtual void end_chunk(float* /*dx*/) {}
  // Once all blocks of the chunk are there: adds what they give to a part of d_w, or writes it
  // where that is uninitialised; each on any thread.
  virtual std::int64_t gradient_parts() const = 0;
  virtual void add_gradient(std::int64_t part, float* d_w, bool is_uninitialised) const = 0;
};

// Of a layer of so many rows.
WEFT_API std::unique_ptr<ForwardGemms> forward_gemms(const LayerFactors& factors, std::int64_t rows,
                                                     const WorkSharing& sharing);
WEFT_API std::unique_ptr<BackwardGemms> backward_gemms(const LayerFactors& factors,
                                                       std::int64_t rows,
                                                       const WorkSharing& sharing);

// The ways to compute them. Tiles only where `has_panels()` for the format of the factors.
std::unique_ptr<ForwardGemms> vector_forward(const VectorUnit& unit, const LayerFactors& factors,
                                             std::int64_t rows, const WorkSharing& sharing);
std::unique_ptr<ForwardGemms> tile_forward(const LayerFactors& factors, std::int64_t rows,
                                           const WorkSharing& sharing);
std::unique_ptr<ForwardGemms> plain_forward(const LayerFactors& factors, std::int64_t rows);
// Windows of three rows, four of them together; see window_filter.h. Where `has_windows`.
std::unique_ptr<ForwardGemms> window_forward(const VectorUnit& unit, const LayerFactors& factors,
                                             std::int64_t rows, const WorkSharing& sharing);
bool has_windows(const LayerFactors& factors);
std::unique_ptr<BackwardGemms> vector_backward(const VectorUnit& unit, const LayerFactors& factors,
                                               const WorkSharing& sharing);
std::unique_ptr<BackwardGemms> tile_backward(const LayerFactors& factors, std::int64_t rows,
                                             const WorkSharing& sharing);
std::unique_ptr<BackwardGemms> plain_backward(const LayerFactors& factors);
// Skips the multiplications by zeros of pieces that did not win; see sparse_backward.cc.
// Where `is_sparse`.
WEFT_API std::unique_ptr<BackwardGemms> sparse_backward(const VectorUnit& unit,
                                                        const LayerFactors& factors,
                                                        const WorkSharing& sharing);
bool is_sparse(const LayerFactors& factors);
// The same for factors of bf16, by dot products. Where `is_sparse_by_dots` and `has_dots()`.
WEFT_API std::unique_ptr<BackwardGemms> sparse_backward_by_dots(const VectorUnit& unit,
                                                                const LayerFactors& factors,
                                                                const WorkSharing& sharing);
bool is_sparse_by_dots(const LayerFactors& factors);

// The weights in another type, shared like packed weights, among which `key` names them: no other
// form of them may have that name. Threads that are idle help. Throws Error(memory).
PackedFactor cast_weights(const LayerFactors& factors, DType type, const Factor& key,
                          const WorkSharing& sharing);

// The weights as the right factor of the GEMMs of a pass.
Factor forward_weights(const LayerFactors& factors);
Factor backward_weights(const LayerFactors& factors);
// Bytes of what a way keeps packed of them while a batch lasts; 0 for those that are not.
struct PackedSizes {
  std::size_t forward, backward;
};
WEFT_API PackedSizes packed_sizes(const LayerFactors& factors);
Packing window_packing(const VectorUnit& unit, const LayerFactors& factors);

// Rows [first, first + count) where they lie, or gathered one behind the other, converted for the
// GEMMs.
struct StridedRows {
  const float* data;
  std::int64_t stride;
  ScratchArray<float> gathered = {};
};
StridedRows strided_rows(const WideRows& x, std::int64_t first, std::int64_t count);

// Rows [first, first + count) as the depth of a right factor: dz^T is multiplied with them.
struct GatheredFactor {
  Factor factor{};
  ScratchArray<float> gathered = {};
};
GatheredFactor rows_as_depth(const WideRows& x, std::int64_t first, std::int64_t count);
// The same of rows whose factors are bf16, in that type.
GatheredFactor low_rows_as_depth(const WideRows& x, std::int64_t first, std::int64_t count);
// Those rows as they lie in memory, whatever their type: as lines, or as the depth.
Factor rows_in_memory(const WideRows& x, std::int64_t first, std::int64_t count, bool as_lines);

// dz (count, outputs): d (count, groups) at the winners of those rows, zeros at other pieces.
void spread_to_winners(const LayerFactors& factors, std::int64_t first, std::int64_t count,
                       const float* d, float* dz);

}  // namespace weft::cpu
