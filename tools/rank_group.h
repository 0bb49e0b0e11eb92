// The ranks of `--n-workers N` on this machine: processes that are forked from this one, one of
// which speaks; they end together.
#pragma once

#include <functional>
#include <optional>

#include "framework/comm/launch.h"

namespace weft::tools {

struct ForkedRank {
  Launch launch;
  bool goes_on = false;  // with what an earlier attempt began
};

struct GroupEnd {
  int code = 0;  // of the program
};

// Returns in each rank, and in this process, with `end`, once all have ended. A rank that is lost
// ends the others; the group starts again, at most `max_restarts` times, and `has_begun` tells then
// whether there is something to go on with. Signals that ask the program to end are passed on to
// every rank, and nothing is started again after one. Throws Error(system).
std::optional<ForkedRank> fork_ranks(int workers, int max_restarts,
                                     const std::function<bool()>& has_begun, GroupEnd& end);

}  // namespace weft::tools
