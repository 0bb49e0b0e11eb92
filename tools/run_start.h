// Where a run of `train` starts: at the beginning of its config, or from a checkpoint.
#pragma once

#include <filesystem>

#include "framework/comm/launch.h"
#include "tools/command_line.h"

namespace weft::tools {

struct RunStart {
  std::filesystem::path config = {};      // file
  std::filesystem::path checkpoint = {};  // "": from the beginning
  bool again = false;                     // an earlier run ended before its first checkpoint
};

// By the words of the command line. `goes_on`: this command has begun a run in `output`, which goes
// on. Rank 0 puts back there what a killed run was about to replace; the others wait for it. Throws
// Error(usage) where options contradict each other, where CONFIG or the checkpoint is missing, and
// where results of an earlier run would be replaced; Error(system) where the checkpoint cannot be
// read; as repair_run_folder, refuse_linked_checkpoint and refuse_to_start_again.
RunStart start_of(const CommandLine& line, const std::filesystem::path& output,
                  const Launch& launch, bool goes_on);

}  // namespace weft::tools
