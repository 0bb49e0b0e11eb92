// Vectors of types (rows of ids: tokens that an embedding cannot tell apart) that are kept from one
// group of documents of a prediction to the next: a text has few words that no text before it had.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "framework/nn/unique_rows.h"
#include "framework/ops/gather.h"

namespace weft {

// One pass at a time.
class TypeVectors {
 public:
  // The vector of each row of ids (n, columns, u64), n > 0. `compute` gives those of types that no
  // call had before: of (m, columns, u64) a tensor (m, width), always of one type of floats.
  template <class Compute>
  Tensor of(Context& ctx, const Tensor& ids, const Compute& compute) {
    if (!is_whole_ || vectors_.size() > kMostBytes) {
      numbers_ = RowNumbers(ids.dim(1), ids.dim(0));
      vectors_.clear();
    }
    const std::int64_t known = numbers_.size();
    is_whole_ = false;  // until the new ones are computed, which may fail
    const Tensor index = number_rows(ctx, numbers_, ids);
    if (numbers_.size() > known) add(compute(rows_from(ctx, known, ids.dim(1))));
    is_whole_ = true;
    const ConstView all(vectors_.data(), type_, {numbers_.size(), width_});
    Tensor tokens = ctx.empty({ids.dim(0), width_}, type_);
    ctx.run<GatherRows>(all, index, tokens.view());
    return tokens;
  }

 private:
  // Too many would leave the caches of the processor. The frequent ones are soon there again.
  static constexpr std::size_t kMostBytes = std::size_t{1} << 20;

  Tensor rows_from(Context& ctx, std::int64_t first, std::int64_t columns) const {
    Tensor rows = ctx.host_array({numbers_.size() - first, columns}, DType::u64);
    std::ranges::copy(numbers_.rows_from(first), rows.data<std::uint64_t>());
    return rows;
  }
  void add(const Tensor& vectors) {
    const auto* first = static_cast<const std::byte*>(vectors.cview().data);
    vectors_.insert(vectors_.end(), first, first + vectors.bytes());
    width_ = vectors.dim(1);
    type_ = vectors.dtype();
  }

  RowNumbers numbers_{0};
  std::vector<std::byte> vectors_;
  std::int64_t width_ = 0;
  DType type_ = DType::f32;
  bool is_whole_ = false;  // each type has its vector
};

}  // namespace weft
