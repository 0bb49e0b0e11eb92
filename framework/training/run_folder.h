// The output folder of a run: one run at a time, pipelines and checkpoints that appear whole.
//
//   config.cfg            the filled config, from the start
//   run.json              the manifest: data, build, machine (manifest.h)
//   log.jsonl             a line for each evaluation
//   model-last            as the last evaluation, or the end of the run, left it
//   model-best            the best so far; an older one stays until there is a new one
//   checkpoint            what `--resume` goes on from; checkpoint-STEP: those before it. In each,
//                         `best` is model-best as it was then
//   diverged              the state just before a step that gave no numbers, as a checkpoint
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <vector>

#include "framework/io/held_folder.h"
#include "framework/pipeline/language.h"
#include "framework/training/run_folder_contents.h"
#include "registry/base/export.h"

namespace weft {

class WEFT_API RunFolder {
 public:
  // Creates the folder where it is missing, takes it for this process, and clears away what a
  // killed run was writing. Throws Error(usage) where another run is writing there, Error(system).
  explicit RunFolder(std::filesystem::path path);
  RunFolder(const RunFolder&) = delete;
  RunFolder& operator=(const RunFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }
  std::filesystem::path checkpoint() const { return path_ / "checkpoint"; }

  std::filesystem::path manifest() const { return path_ / "run.json"; }

  // Takes away what another run could be resumed from in the place of this one. Its pipelines stay
  // until there are new ones. Throws Error(usage), with everything as it was, where folders that no
  // run of this kind has written stand under the names of a run's files and folders.
  void begin_anew(RunKind own = RunKind::training);
  void save_last(const Language& nlp) const;
  void copy_last_to_best() const;
  // `write` fills the folder of the checkpoint after `step` updates; of earlier ones as many stay
  // that there are `keep_last` in all.
  void save_checkpoint(std::int64_t step, std::int64_t keep_last,
                       const std::function<void(const std::filesystem::path&)>& write);
  // Within `write`: model-best is kept with the checkpoint.
  void keep_best(const std::filesystem::path& checkpoint) const;
  // Goes on from the checkpoint after `step` updates that stands there, or an older one, which
  // becomes `checkpoint` again. With it comes the best pipeline of then; later checkpoints are
  // removed. Throws Error(usage) where a part of it is a link, Error(data) where that pipeline is
  // not as it was written.
  void go_on_from(const std::filesystem::path& from, std::int64_t step);
  // Where the pipeline was just before the step that diverged.
  std::filesystem::path diverged() const { return path_ / "diverged"; }
  // Writes that one, in the form of a checkpoint.
  void save_diverged(const std::function<void(const std::filesystem::path&)>& write) const;
  // A run that goes on here from the checkpoint after `step` updates that lies in `other`: its log,
  // the best pipeline of then, the files and folders that its loggers wrote below the output
  // (relative paths) and, last, the checkpoint come along. Throws Error(usage) where one of those
  // folders is a link, Error(data) as `go_on_from`.
  void take_over(const std::filesystem::path& other, const std::filesystem::path& from,
                 std::int64_t step, const std::vector<std::filesystem::path>& logs = {});

 private:
  // Throws Error(system) where the folder was taken away.
  void check_there() const;
  // Throws the same where it was taken away before `write` or during it.
  void write_within(const std::function<void()>& write) const;
  bool has_other_best(const std::filesystem::path& checkpoint) const;

  std::filesystem::path path_;
  std::int64_t present_step_ = -1;  // of `checkpoint`; -1: unknown
  std::optional<HeldFolder> held_;  // locked; nothing where it cannot be read
};

// Before a run that is to go on there looks for its checkpoint: puts back what a killed run was
// about to replace. Does nothing where there is no folder. Throws as RunFolder's constructor.
WEFT_API void repair_run_folder(const std::filesystem::path& folder);

// Whether a run of any process writes there at this moment; false where the folder cannot be read
// or its file system has no locks.
WEFT_API bool is_written_now(const std::filesystem::path& folder);

}  // namespace weft
