// The products of an affine layer over rows that come in strips, so that what stands before and
// behind them finds its rows in the first caches. Forward: z = x w^T + shift. Back: dx = dz w, and
// d_w += dz^T x. By the way that product.h chooses for factors of these sizes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "framework/backends/cpu/base/scratch_array.h"
#include "framework/backends/cpu/gemm/factor.h"
#include "framework/backends/cpu/gemm/vector_unit.h"
#include "framework/ops/work_sharing.h"
#include "framework/precision/format.h"
#include "framework/tensor/dtype.h"
#include "registry/base/export.h"

namespace weft::cpu {

// Rows, each made of `parts` rows of an array side by side: numbers seen[i * parts] ..., zeros
// where negative. Without numbers a row is the array's.
struct WideRows {
  const void* data;
  std::int64_t stride, width;  // of the array's rows, in elements
  const std::int32_t* seen = nullptr;
  std::int64_t parts = 1;
  DType type = DType::f32;                   // of the array: f32, f16 or bf16
  NumberFormat rounded = NumberFormat::f32;  // what a row's numbers are rounded to first,
  NumberFormat factors = NumberFormat::f32;  // and what the products see of them

  std::int64_t length() const { return parts * width; }
  // Whether the products see the numbers as they lie in memory.
  bool are_plain() const {
    return type == DType::f32 && rounded == NumberFormat::f32 && factors == NumberFormat::f32;
  }
  // Of an array of f32.
  const float* numbers() const { return static_cast<const float*>(data); }
};

struct LayerFactors {
  WideRows x;
  const float *w, *shift;  // (outputs, x.length()), (outputs); contiguous
  std::int64_t outputs;
  // Outputs come in groups of so many pieces, of which one is passed on: which one, of rows
  // counted from the layer's first, (rows, groups) contiguous, is known on the way back.
  std::int64_t pieces = 1;
  const std::uint8_t* winners = nullptr;

  std::int64_t groups() const { return outputs / pieces; }
};

// Rows of the way back that are worked on at once, of so many in all. Strips begin at multiples.
std::int64_t rows_of_chunk(std::int64_t rows);

// One pass forward. Strips of rows may be computed on several threads at the same time.
class ForwardProducts {
 public:
  virtual ~ForwardProducts() = default;
  // Rows of a strip; fewer in the last one.
  virtual std::int64_t strip() const = 0;
  // z (count, outputs) of rows [first, first + count).
  virtual void forward(std::int64_t first, std::int64_t count, float* z) const = 0;
};

// The way back goes chunk by chunk; strips of a chunk may be computed on several threads.
class BackwardProducts {
 public:
  virtual ~BackwardProducts() = default;
  // Rows are counted from the first one of the layer.
  virtual void begin_chunk(std::int64_t first, std::int64_t count) = 0;
  // Rows of a strip of this chunk; fewer in the last one.
  virtual std::int64_t strip() const = 0;
  // From d (count, groups), what comes back to the winners: dx (count, x.length()), contiguous.
  // Notes what the gradient of w needs.
  virtual void backward(std::int64_t first, std::int64_t count, const float* d, float* dx) = 0;
  // Once all strips of the chunk are there: adds what they give to a part of d_w, or writes it
  // where that is fresh; each on any thread.
  virtual std::int64_t gradient_parts() const = 0;
  virtual void add_gradient(std::int64_t part, float* d_w, bool is_fresh) const = 0;
};

std::unique_ptr<ForwardProducts> forward_products(const LayerFactors& factors,
                                                  const WorkSharing& sharing);
std::unique_ptr<BackwardProducts> backward_products(const LayerFactors& factors,
                                                    const WorkSharing& sharing);

// The ways to compute them. Tiles only where `has_tiles()`.
std::unique_ptr<ForwardProducts> vector_forward(const VectorUnit& unit, const LayerFactors& factors,
                                                const WorkSharing& sharing);
std::unique_ptr<ForwardProducts> tile_forward(const LayerFactors& factors,
                                              const WorkSharing& sharing);
std::unique_ptr<ForwardProducts> plain_forward(const LayerFactors& factors);
std::unique_ptr<BackwardProducts> vector_backward(const VectorUnit& unit,
                                                  const LayerFactors& factors,
                                                  const WorkSharing& sharing);
std::unique_ptr<BackwardProducts> tile_backward(const LayerFactors& factors,
                                                const WorkSharing& sharing);
std::unique_ptr<BackwardProducts> plain_backward(const LayerFactors& factors);
// Spares what is multiplied by the zeros of pieces that did not win; see sparse_backward.cc.
// Where `is_sparse`.
WEFT_API std::unique_ptr<BackwardProducts> sparse_backward(const VectorUnit& unit,
                                                           const LayerFactors& factors);
bool is_sparse(const LayerFactors& factors);

// The weights as the right factor of the products that a pass computes for each row.
Factor forward_weights(const LayerFactors& factors);
Factor backward_weights(const LayerFactors& factors);
// Bytes of what a way keeps packed of them while a batch lasts; 0 for those that are not.
struct PackedSizes {
  std::size_t forward, backward;
};
WEFT_API PackedSizes packed_sizes(const LayerFactors& factors);

// Rows [first, first + count) where they lie, or gathered one behind the other as the products see
// them.
struct LyingRows {
  const float* data;
  std::int64_t stride;
  ScratchArray<float> gathered = {};
};
LyingRows lying_rows(const WideRows& x, std::int64_t first, std::int64_t count);

// Rows [first, first + count) as the depth of a right factor: dz^T is multiplied with them.
struct GatheredFactor {
  Factor factor{};
  ScratchArray<float> gathered = {};
};
GatheredFactor rows_as_depth(const WideRows& x, std::int64_t first, std::int64_t count);

// dz (count, outputs): d (count, groups) at the winners of those rows, zeros at other pieces.
void spread_to_winners(const LayerFactors& factors, std::int64_t first, std::int64_t count,
                       const float* d, float* dz);

}  // namespace weft::cpu
