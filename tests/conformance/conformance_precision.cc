// conformance_precision FOLDER: replays the records of FOLDER against the precision library. Prints
// the records that fail and `N passed, N failed, N skipped`.
#include <exception>

#include <fmt/format.h>

#include "tests/conformance/conformance_precision/replay.h"

int main(int argc, char** argv) {
  if (argc != 2) {
    fmt::print(stderr, "usage: conformance_precision FOLDER\n");
    return 2;
  }
  const std::filesystem::path folder = argv[1];
  try {
    replay::Tally tally;
    replay::replay_rounding(folder, tally);
    replay::replay_gemms(folder, tally);
    replay::replay_scaler_traces(folder, tally);
    replay::replay_overflows(folder, tally);
    replay::replay_policy(folder, tally);
    replay::replay_optimizers(folder, tally);
    replay::replay_levels(folder, tally);
    return tally.finish(folder);
  } catch (const std::exception& error) {
    fmt::print(stderr, "conformance_precision: {}\n", error.what());
    return 1;
  }
}
