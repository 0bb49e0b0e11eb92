// What the products of a layer share where they need no order of their own: rows are taken as they
// lie, and dz of a whole chunk is kept.
#pragma once

#include <cstdint>

#include "framework/backends/cpu/layer_products.h"

namespace weft::cpu {

class ChunkProducts : public LayerProducts {
 public:
  void begin_chunk(std::int64_t first, std::int64_t count) override;
  float* dz_of(std::int64_t first) const override { return dz_ + (first - first_) * f_.outputs; }

 protected:
  explicit ChunkProducts(const LayerFactors& factors) : f_(factors) {}

  struct Rows {
    const float* data;
    std::int64_t stride;
  };
  // Rows of x, gathered where they are not those of memory; the thread's until it asks again.
  Rows rows(std::int64_t first, std::int64_t count) const;

  LayerFactors f_;
  // Of the chunk.
  std::int64_t first_ = 0, count_ = 0;
  float* dz_ = nullptr;
};

}  // namespace weft::cpu
