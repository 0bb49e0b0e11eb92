// What flows between layers.
#pragma once

#include <cstdint>
#include <span>
#include <variant>
#include <vector>

#include "framework/tensor/tensor.h"

namespace weft {

class Doc;

// Sequences one after the other in one matrix.
struct Ragged {
  Tensor data;                        // (sum of lengths, width)
  std::vector<std::int64_t> lengths;  // rows of each sequence
};

// Documents, in the order of the batch; they outlive the pass.
using DocBatch = std::span<const Doc* const>;

using TensorList = std::vector<Tensor>;

using Value = std::variant<std::monostate, Tensor, Ragged, TensorList, DocBatch>;

}  // namespace weft
