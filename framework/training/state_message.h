// The optimizer's state on its way to rank 0, which writes checkpoints.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "framework/comm/communicator.h"
#include "framework/training/optimizer.h"

namespace weft {

// Counts, moments and averages, bit for bit.
WEFT_API std::string write_states(const std::map<std::string, OptimizerState>& states);
// Throws PeerLost for other bytes.
WEFT_API std::map<std::string, OptimizerState> read_states(std::string_view bytes);

// Puts the state of a part of an array into that of the whole array; not one that is older than
// rows which have come since.
WEFT_API void join_part(const OptimizerState& state, ArrayPart part, const Shape& shape,
                        OptimizerState& whole);

// The texts of all other ranks, on rank 0; none elsewhere.
WEFT_API std::vector<std::string> gather_on_root(Communicator& comm, const std::string& mine);

}  // namespace weft
