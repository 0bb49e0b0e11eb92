// The choice of an engine and the opening of its library, which lies beside libweft.so.
#pragma once

#include <memory>
#include <string>

#include "framework/comm/communicator.h"
#include "framework/comm/launch.h"
#include "registry/base/export.h"

namespace weft {

// `engine`: "auto" takes the one that fits the launcher; "self", "mpi", "gloo", "nccl"; any other
// is that of a library libweft_comm_NAME.so beside libweft.so, and one with a slash is its file.
// Throws Error(usage) where that is not there, cannot be opened or does not fit the launcher;
// PeerLost where not all ranks come.
WEFT_API std::shared_ptr<Communicator> open_communicator(const std::string& engine,
                                                         const Launch& launch,
                                                         const CommOptions& options);

// Why the engine cannot be used here; "" where its library can be opened. Starts nothing.
WEFT_API std::string why_no_engine(const std::string& engine);

}  // namespace weft
