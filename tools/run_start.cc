#include "tools/run_start.h"

#include <chrono>
#include <iostream>
#include <system_error>

#include <fmt/format.h>

#include "framework/io/system_error.h"
#include "framework/training/checkpoint.h"
#include "framework/training/run_folder.h"
#include "framework/training/run_folder_contents.h"
#include "registry/base/error.h"
#include "tools/setup.h"

namespace weft::tools {
namespace {

namespace fs = std::filesystem;

// Putting folders back takes moments, removing large ones a while on a slow file system.
constexpr std::chrono::seconds kLongestRepair{60};

void refuse_content(const CommandLine& line, const fs::path& output, const char* advice) {
  if (!has_content(output) || line.has("overwrite")) return;
  throw Error(ErrorKind::usage, fmt::format("{} is not empty; {}--overwrite replaces what an "
                                            "earlier run left there",
                                            output.string(), advice));
}

RunStart fresh_start(const CommandLine& line, const fs::path& output) {
  if (line.has("checkpoint")) {
    throw Error(ErrorKind::usage, "--checkpoint says where --resume goes on; give both");
  }
  if (line.text("CONFIG").empty()) throw Error(ErrorKind::usage, "CONFIG is missing");
  refuse_content(line, output, "--resume goes on from its checkpoint, ");
  return {.config = line.path("CONFIG")};
}

// No checkpoint was reached: from the beginning, with the config given or the one the run noted.
RunStart start_again(const CommandLine& line, const fs::path& output) {
  RunStart start{.config = line.path("CONFIG"), .again = true};
  if (start.config.empty()) start.config = output / "config.cfg";
  if (!fs::exists(start.config)) {
    throw Error(ErrorKind::usage,
                fmt::format("{} holds neither a checkpoint nor the config of a run; give the "
                            "config to start from the beginning",
                            output.string()));
  }
  std::cerr << fmt::format("no checkpoint in {}: the run starts from the beginning\n",
                           output.string());
  return start;
}

// The one of --checkpoint.
fs::path given_checkpoint(const CommandLine& line, const fs::path& output) {
  const fs::path checkpoint = line.path("checkpoint");
  refuse_linked_checkpoint(output, checkpoint);
  if (is_checkpoint(checkpoint)) return checkpoint;
  throw Error(ErrorKind::usage, fmt::format("{} is no checkpoint", checkpoint.string()));
}

// `with_own`: this command began the run there, whose checkpoint comes before that of the options.
RunStart resumed_start(const CommandLine& line, const fs::path& output, bool is_root,
                       bool with_own) {
  if (output.empty()) {
    throw Error(ErrorKind::usage, "--resume needs the --output of the run that goes on");
  }
  if (is_root) {
    repair_run_folder(output);
  } else {
    await_repair(output, kLongestRepair);
  }
  const bool elsewhere =
      line.has("checkpoint") && !(with_own && is_checkpoint(output / "checkpoint"));
  const fs::path checkpoint = elsewhere ? given_checkpoint(line, output)
                                        : checkpoint_to_resume(output, line.has("overwrite"));
  if (checkpoint.empty()) return start_again(line, output);
  std::error_code unknown;
  const bool same_run = fs::equivalent(checkpoint / "..", output, unknown);
  if (unknown && !elsewhere) fail_on_file("read", checkpoint, unknown.value());
  if (!same_run && !with_own) refuse_content(line, output, "");
  RunStart start{.config = line.path("CONFIG"), .checkpoint = checkpoint};
  if (start.config.empty()) start.config = config_of_checkpoint(checkpoint);
  return start;
}

}  // namespace

RunStart start_of(const CommandLine& line, const fs::path& output, const Launch& launch,
                  bool goes_on) {
  if (line.has("resume") || goes_on) {
    return resumed_start(line, output, launch.is_root(), goes_on);
  }
  // Rank 0 looks at the folder, before it or any other rank writes there.
  return fresh_start(line, launch.is_root() ? output : fs::path());
}

}  // namespace weft::tools
