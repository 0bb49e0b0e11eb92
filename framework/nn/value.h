// The values that layers take and give.
#pragma once

#include <cstdint>
#include <span>
#include <variant>
#include <vector>

#include "framework/tensor/tensor.h"
#include "registry/base/export.h"

namespace weft {

class Context;
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

// The alternative that the caller expects. Throw Error(internal) naming what it is instead.
WEFT_API const Tensor& as_tensor(const Value& value);
WEFT_API DocBatch as_docs(const Value& value);
// A ragged array, or a list of arrays made into one, in memory of the context: an array on the host
// is brought to its device.
WEFT_API Ragged as_ragged(Context& ctx, const Value& value);

// The arrays of a value, whichever it is; of documents none.
WEFT_API TensorList arrays_of(const Value& value);

// The rows of each sequence; they share the memory of `ragged`.
WEFT_API TensorList split(const Ragged& ragged);

}  // namespace weft
