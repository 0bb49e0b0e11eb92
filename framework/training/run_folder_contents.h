// A look at the output folder of a run (run_folder.h): its files, its checkpoints, and things that
// no run may replace or follow. Nothing is changed.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <string_view>
#include <vector>

#include "registry/base/export.h"

namespace weft {

inline constexpr std::string_view kRunLog = "log.jsonl";

// The files and folders that a run in `output` writes or removes, whether they are there or not.
WEFT_API std::vector<std::filesystem::path> files_of_run(const std::filesystem::path& output);
WEFT_API std::vector<std::filesystem::path> folders_of_run(const std::filesystem::path& output);

// Their files have names in common: config.cfg, log.jsonl, checkpoint.
enum class RunKind : std::uint8_t { training, pretraining };

// Throws Error(usage) where the manifest or the checkpoint there is that of a run of the other
// kind, which a run of this one would replace or take for its own.
WEFT_API void refuse_other_kind(const std::filesystem::path& output, RunKind own);

// Throws Error(usage) where a checkpoint in the output of a run is a link: it would be followed to
// the folder of another run, and the next checkpoint would take its place.
WEFT_API void refuse_linked_checkpoint(const std::filesystem::path& output,
                                       const std::filesystem::path& checkpoint);

// For a run that was asked to go on and finds no checkpoint. Throws Error(data) where the
// checkpoint lacks its state.json, and Error(usage) where a run from the beginning would replace
// results. Nothing is thrown where a run that had begun, as `last_written` tells, the file that it
// writes last then, has at most one line in log.jsonl: it had no checkpoint yet, as one follows
// each later line. Nor where one was ended while it cleared the folder: manifest and config are
// missing then, and the log is there. A file of that name that no run wrote is no log.
WEFT_API void refuse_to_start_again(const std::filesystem::path& folder,
                                    const std::filesystem::path& last_written);

// The checkpoint that a training run goes on from in its own output, which is repaired before
// (run_folder.h); "" where none was reached, and the run starts from the beginning. Throws as
// refuse_linked_checkpoint, refuse_other_kind and, unless results may be replaced, as
// refuse_to_start_again.
WEFT_API std::filesystem::path checkpoint_to_resume(const std::filesystem::path& output,
                                                    bool may_replace);

// For the ranks of a run that goes on but the one that calls `repair_run_folder`: waits, for
// `longest` at most, while a checkpoint is there that this puts back.
WEFT_API void await_repair(const std::filesystem::path& folder, std::chrono::seconds longest);

// ---- for run_folder.cc alone

struct OlderCheckpoint {
  std::int64_t step;
  std::filesystem::path path;
};

// checkpoint-STEP below the folder, newest first. Throws Error(system) where the folder cannot be
// read.
std::vector<OlderCheckpoint> older_checkpoints(const std::filesystem::path& folder);
// Where the one after `step` updates is kept.
std::filesystem::path older_checkpoint(const std::filesystem::path& output, std::int64_t step);

// Throws Error(usage) for a link: it may lead anywhere, to files of others too.
void refuse_link(const std::filesystem::path& folder);
// Throws Error(usage) where something else stands under the name of a pipeline: it would be lost.
void refuse_other_pipeline(const std::filesystem::path& folder);
// The same under all names of a run's files and folders, for one that begins anew; and throws as
// refuse_other_kind.
void refuse_other_things(const std::filesystem::path& output, RunKind own);

}  // namespace weft
