// How a process was started: alone, or as one of several ranks by mpirun, srun, a launcher that
// sets the variables of torchrun, or `--n-workers`.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "registry/base/export.h"

namespace weft {

struct Launch {
  int rank = 0;
  int size = 1;                 // 0: the launcher does not tell; the engine does
  std::string engine = "self";  // the one that fits this launcher
  std::string address = {};     // MASTER_ADDR: where rank 0 waits for the others
  std::uint16_t port = 0;       // WEFT_COMM_PORT, or MASTER_PORT
  int listening = -1;           // of rank 0: a socket that listens there already

  bool is_root() const { return rank == 0; }
};

// From the environment. Throws Error(usage), naming the variable, for values that are no numbers or
// do not fit each other, and for ranks without a place to meet.
WEFT_API Launch launch_from_environment();

// The number of a variable, from `least` to `most`; nothing where it is absent or empty. Throws
// Error(usage), naming the variable, for anything else.
WEFT_API std::optional<int> number_in_environment(const char* name, int least, int most);

// The name of this machine.
WEFT_API std::string host_name();

}  // namespace weft
