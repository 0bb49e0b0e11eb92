// The products of an affine layer over rows that come in strips, so that what stands before and
// behind them finds its rows in the first caches. Forward: z = x w^T + shift. Back: dx = dz w, and
// d_w += dz^T x. By the way that product.h chooses for factors of these sizes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "framework/backends/cpu/factor.h"
#include "framework/backends/cpu/vector_unit.h"
#include "framework/ops/work_sharing.h"
#include "registry/export.h"

namespace weft::cpu {

// Rows of f32, each made of `parts` rows of an array side by side: numbers seen[i * parts] ...,
// zeros where negative. Without numbers a row is the array's.
struct WideRows {
  const float* data;
  std::int64_t stride, width;  // of the array's rows, in elements
  const std::int32_t* seen = nullptr;
  std::int64_t parts = 1;

  std::int64_t length() const { return parts * width; }
};

struct LayerFactors {
  WideRows x;
  const float *w, *shift;  // (outputs, x.length()), (outputs); contiguous
  std::int64_t outputs;
};

// Rows of the way back that are worked on at once, of so many in all. Strips begin at multiples.
std::int64_t rows_of_chunk(std::int64_t rows);

// One pass. Strips of rows may be computed on several threads at the same time.
class LayerProducts {
 public:
  virtual ~LayerProducts() = default;
  // Rows of a strip; fewer in the last one.
  virtual std::int64_t strip() const = 0;

  // z (count, outputs) of rows [first, first + count).
  virtual void forward(std::int64_t first, std::int64_t count, float* z) const = 0;

  // The way back goes chunk by chunk. Rows are counted from the first one of the layer.
  virtual void begin_chunk(std::int64_t first, std::int64_t count) = 0;
  // Where to write dz (count, outputs) of a strip of the chunk; the thread's until `backward`.
  virtual float* dz_of(std::int64_t first) const = 0;
  // From that dz: dx (count, x.length()), contiguous. Notes what the gradient of w needs.
  virtual void backward(std::int64_t first, std::int64_t count, float* dx) const = 0;
  // Once all strips of the chunk are there: adds what they give to a part of d_w, or writes it
  // where that is fresh; each on any thread.
  virtual std::int64_t gradient_parts() const = 0;
  virtual void add_gradient(std::int64_t part, float* d_w, bool is_fresh) const = 0;
};

// Which way a pass goes decides which order of the weights is packed.
enum class Way : std::uint8_t { forward, back };

// Bytes of these weights as they are packed; 0 where they are not.
WEFT_API std::size_t packed_bytes(const Factor& weights);

// The weights as the right factor of the products that a pass computes for each row.
Factor weights_of(const LayerFactors& factors, Way way);

std::unique_ptr<LayerProducts> layer_products(const LayerFactors& factors, Way way,
                                              const WorkSharing& sharing);
// The ways to compute them. Tiles only where `has_tiles()`.
std::unique_ptr<LayerProducts> vector_layer_products(const VectorUnit& unit,
                                                     const LayerFactors& factors, Way way,
                                                     const WorkSharing& sharing);
std::unique_ptr<LayerProducts> tile_layer_products(const LayerFactors& factors, Way way,
                                                   const WorkSharing& sharing);
std::unique_ptr<LayerProducts> plain_layer_products(const LayerFactors& factors);

// Rows [first, first + count), written one behind the other.
void gather_wide_rows(const WideRows& x, std::int64_t first, std::int64_t count, float* to);

}  // namespace weft::cpu
