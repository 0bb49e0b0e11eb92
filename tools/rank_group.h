// The ranks of `--n-workers N` on this machine: processes that are forked from this one, one of
// which speaks; they end together.
#pragma once

#include <optional>

#include "framework/comm/launch.h"

namespace weft::tools {

struct ForkedRank {
  Launch launch;
  int attempt = 0;  // 0: the first; then one more for each restart
};

struct GroupEnd {
  int code = 0;  // of the program
};

// Returns in each rank, and in this process, with `end`, once all have ended. A rank that is lost
// ends the others; the group starts again, at most `max_restarts` times. Signals that ask the
// program to end are passed on to every rank. Throws Error(system).
std::optional<ForkedRank> fork_ranks(int workers, int max_restarts, GroupEnd& end);

}  // namespace weft::tools
