// run.json: what a run was made of, so that somebody else can make it again.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>

#include "framework/io/file_limits.h"
#include "registry/base/export.h"
#include "registry/value/config.h"

namespace weft {

// The parts of a run that a manifest keeps.
inline constexpr std::size_t kMostParts = 4096;

// A run from its start, or from a checkpoint, to where it ends.
struct RunPart {
  std::int64_t from_step = 0;
  int threads = 1;
};

// {"config_sha256", "data", "build", "log", "parts": [{"from_step", "threads", "machine",
// "time"}]}. `config` is the text of config.cfg, `data` as data_facts gives it, `log` where the
// logs stood before the first step. All that depends on the clock stands in `time`.
WEFT_API Object make_manifest(const std::string& config, const Object& data, const Node& log,
                              const RunPart& part);

// How a part of a run came to its end.
struct PartEnd {
  std::string why;            // name_of(RunEnd), "diverged" or "error"
  std::int64_t to_step = -1;  // updates made; negative: not told
  double seconds = 0.0;       // since it began
  std::string message = {};   // of the error that ended it, or of another
};

// The manifest in the file, whose last part gets {"ended", "message", "to_step", "time":
// {"ended", "seconds"}}; empty where the file is no manifest.
WEFT_API Object ended_manifest(const std::filesystem::path& file, const PartEnd& end);

// The manifest in the file with one more part, of kMostParts the first and the newest; the new one
// where there is no file. Throws as read_whole_manifest.
WEFT_API Object continued_manifest(const std::filesystem::path& file, const Object& fresh);

// The manifest in the file; empty where there is none that can be read. Throws Error(data) for a
// file of more than `most` bytes.
WEFT_API Object read_manifest(const std::filesystem::path& file,
                              std::uint64_t most = kMostManifest);

// The same, with its parts. Throws Error(data) where there is none.
WEFT_API Object read_whole_manifest(const std::filesystem::path& file);

// For a run that is about to go on: throws Error(data) where a file stands there that it would
// replace and that is no manifest.
WEFT_API void check_manifest(const std::filesystem::path& file);

// Where the logs stood before the first step, as the manifest in the file says; null where it does
// not.
WEFT_API Node manifest_log(const std::filesystem::path& file);

// The processor, cores, memory and system of this machine.
WEFT_API Object machine_facts();

}  // namespace weft
