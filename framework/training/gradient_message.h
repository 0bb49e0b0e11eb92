// The gradients of a shard as bytes for the rank that updates those parameters. Tables travel by
// the rows that the shard touched, in the order of their first touch, which the sums depend on.
#pragma once

#include <functional>
#include <span>

#include "framework/comm/message.h"
#include "framework/nn/parameter.h"

namespace weft {

// Those of the parameters with `is_taken(i)`.
WEFT_API void write_gradients(MessageWriter& message, const Gradients& gradients,
                              std::span<const NamedParameter> parameters,
                              const std::function<bool(std::size_t)>& is_taken);

// Into gradients that are empty and kept as those that were written. Throws PeerLost for bytes that
// do not fit the parameters.
WEFT_API void read_gradients(MessageReader& message, std::span<const NamedParameter> parameters,
                             Gradients& gradients);

}  // namespace weft
