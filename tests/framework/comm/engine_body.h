// Every operation of a communicator, checked against the outcome that is known beforehand: the same
// for one rank and for several, for any engine.
#pragma once

#include <functional>
#include <string>

#include "framework/comm/communicator.h"

namespace weft::testing {

// "" where all is as it must be, else the first operation that was not. `with_messages`: also those
// between two ranks.
std::string check_operations(Communicator& comm, bool with_messages = true);

// Runs `body` in `ranks` forked processes that are connected by the engine. Gives the exit codes;
// `body` gives that of its rank. Without the engine it must not be called.
std::vector<int> run_forked(int ranks, const std::function<int(Communicator&)>& body,
                            const CommOptions& options = {}, const std::string& engine = "gloo");

}  // namespace weft::testing
