// Work of rank 0 that the others wait for, however long it takes: an evaluation, a save. Rank 0
// gives a sign every few seconds, so that a rank which waits can tell long work from a rank that
// has stopped.
#pragma once

#include <functional>

#include "framework/comm/communicator.h"

namespace weft {

// Called by all ranks; `work` runs on rank 0. Throws what it throws there, PeerLost on the others.
WEFT_API void do_on_root(Communicator& comm, const std::function<void()>& work);

}  // namespace weft
