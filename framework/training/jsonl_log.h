// The log that programs read: one JSON object per line. All that depends on the clock stands in an
// object `time`, so that the rest of two equal runs is equal.
#pragma once

#include <filesystem>

#include "framework/training/log_file.h"
#include "framework/training/logger.h"

namespace weft {

// {"epoch", "step", "score", "scores": {...}, "losses": {...}, "words",
//  "learn_rate", "checkpoints": [[score, step], …],
//  "time": {"date", "seconds", "words_per_second", "evaluation_words_per_second"}}
// for each evaluation; scores are fractions, `words` and `seconds` those of training since the
// start, `date` is UTC. `start` says what becomes of a file that exists. Throws Error(system) at
// the start if it cannot be written, and with the next line if the disk is full.
WEFT_API Logger jsonl_log(std::filesystem::path file,
                          LogFile::Start start = LogFile::Start::replace);

}  // namespace weft
