// The gradients of a shard as bytes for the rank that updates those parameters. Tables travel by
// the rows that the shard touched, in the order of their first touch, which the sums depend on.
#pragma once

#include <functional>
#include <span>

#include "framework/comm/message.h"
#include "framework/nn/gradients.h"
#include "framework/nn/parameter.h"
#include "framework/training/array_part.h"

namespace weft {

// The part of each parameter, by its number; an empty one: none.
using PartOf = std::function<ArrayPart(std::size_t)>;

// Those of the parts. A table that was touched elsewhere alone has no rows then, but a gradient.
WEFT_API void write_gradients(MessageWriter& message, const Gradients& gradients,
                              std::span<const NamedParameter> parameters, const PartOf& part_of);

// Into gradients that are empty and kept as those that were written; zeros beside the parts. Throws
// PeerLost for bytes that do not fit the parts.
WEFT_API void read_gradients(MessageReader& message, std::span<const NamedParameter> parameters,
                             const PartOf& part_of, Gradients& gradients);

}  // namespace weft
