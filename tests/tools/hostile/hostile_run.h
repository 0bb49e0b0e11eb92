// Runs the built program on input that somebody made to hurt, and checks how it ended: within
// bounded time and memory, without a crash, a raw control character, a flood of output, or a file
// outside of what the command line allows.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace weft::testing_tools {

// Bounds of one run. Time and memory are not checked under sanitizers, which have their own.
struct HostileBounds {
  double cpu_seconds = 10;                      // processor time of the process
  std::int64_t memory = std::int64_t{1} << 30;  // bytes resident at the peak
  std::int64_t output = std::int64_t{1} << 20;  // bytes written to both streams together
};

struct HostileRun {
  std::string name;  // of the input, for messages
  int code = -1;     // exit code; -1 where a signal ended it
  int signal = 0;
  double cpu_seconds = 0;
  std::int64_t peak_memory = 0;  // bytes
  std::string out;
  std::string err;
};

// Which files stand below a folder, with what they hold: compared before and after a run. Folders
// end with '/', links show where they lead, other kinds are named as such.
using Tree = std::map<std::string, std::string>;
Tree tree_of(const std::filesystem::path& folder);

// `weft WORDS...` with `folder` as its working directory and an empty standard input. It is killed
// beyond twice the bounds of time, after a minute of waiting, or where it writes too much.
HostileRun run_hostile(const std::string& name, const std::vector<std::string>& words,
                       const std::filesystem::path& folder,
                       const std::vector<std::string>& environment = {},
                       const HostileBounds& bounds = {});

// Fails the running test where the run did not end well. It may succeed or be refused; an exit code
// that the program does not document (docs/limits.md) is no good end.
void expect_ended_well(const HostileRun& run, const HostileBounds& bounds = {});

// The same, and it was refused with one of the program's messages that holds `words`.
void expect_refused(const HostileRun& run, const std::string& words);

// Fails the running test where files differ outside of those whose path begins with one of
// `allowed`.
void expect_unchanged(const Tree& before, const Tree& after,
                      const std::vector<std::string>& allowed = {});

}  // namespace weft::testing_tools
