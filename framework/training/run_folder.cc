#include "framework/training/run_folder.h"

#include <cerrno>
#include <chrono>
#include <exception>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "framework/io/atomic_file.h"
#include "framework/io/construction.h"
#include "framework/io/descriptor.h"
#include "framework/io/folder_tree.h"
#include "framework/io/system_error.h"
#include "framework/pipeline/pipeline_hashes.h"
#include "framework/training/checkpoint_files.h"
#include "framework/training/run_folder_contents.h"
#include "registry/base/error.h"
#include "registry/base/input_file.h"

namespace weft {
namespace {

namespace fs = std::filesystem;

constexpr const char* kBest = "best";  // of a checkpoint

// Takes the lock, or says that another process has it. A file system without locks locks nothing.
// The lock belongs to the open folder: the system releases it when the process ends, however it
// ends.
bool is_taken(int folder, int kind) {
  return ::flock(folder, kind | LOCK_NB) != 0 && errno == EWOULDBLOCK;
}

void copy_folder(const fs::path& from, const fs::path& to) {
  AtomicFolder copy(to);
  copy_files(from, copy.path());
  copy.commit();
}

// Within the folder of one run, whose files are replaced and never changed.
void link_folder(const fs::path& from, const fs::path& to) {
  AtomicFolder copy(to);
  link_files(from, copy.path());
  copy.commit();
}

// The checkpoint's own hashes are looked at when it is read.
void check_best_of(const fs::path& checkpoint) {
  const HashCheck check = check_pipeline_files(checkpoint / kBest);
  if (!check.differences.empty()) {
    damaged_checkpoint(checkpoint, kBest + ("/" + check.differences.front()));
  }
}

}  // namespace

bool is_written_now(const fs::path& folder) {
  const int file = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (file < 0) return false;
  const bool taken = is_taken(file, LOCK_SH);
  ::close(file);
  return taken;
}

RunFolder::RunFolder(fs::path path) : path_(std::move(path)) {
  MadeFolders made(path_);
  Descriptor lock(::open(path_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  bool taken = lock && is_taken(lock.get(), LOCK_EX);
  if (taken) {  // perhaps only for the moment in which is_written_now() looks
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    taken = is_taken(lock.get(), LOCK_EX);
  }
  if (taken) {
    throw Error(ErrorKind::usage,
                fmt::format("another run is writing to {}; give another --output", path_.string()));
  }
  clear_leftovers(path_);
  if (lock) held_.emplace(path_, std::move(lock), std::move(made));
}

void repair_run_folder(const fs::path& folder) {
  if (is_there(folder)) static_cast<void>(RunFolder(folder));
}

// The manifest and the config go first, then older checkpoints, then the newest: if this is broken
// off, `--resume` never finds a checkpoint of one run beside the config of another.
void RunFolder::begin_anew(RunKind own) {
  refuse_other_things(path_, own);
  for (const fs::path& file : {manifest(), path_ / "config.cfg"}) remove_tree(file);
  for (const OlderCheckpoint& older : older_checkpoints(path_)) remove_tree(older.path);
  // A half-removed checkpoint has no state.json and counts as none.
  for (const fs::path& folder : {checkpoint(), diverged()}) remove_tree(folder, "state.json");
  present_step_ = -1;
}

// The folder may be moved or deleted while the run goes on; a new one of the same name is another.
void RunFolder::check_there() const {
  if (!held_) return;
  struct stat mine {};
  struct stat there {};
  const bool same = ::fstat(held_->descriptor(), &mine) == 0 &&
                    ::stat(path_.c_str(), &there) == 0 && mine.st_ino == there.st_ino &&
                    mine.st_dev == there.st_dev;
  if (same) return;
  throw Error(ErrorKind::system,
              fmt::format("the output folder {} was deleted or moved while the run was going on",
                          path_.string()));
}

// A folder that goes away while it is written to shows by any error of the system.
void RunFolder::write_within(const std::function<void()>& write) const {
  check_there();
  try {
    write();
  } catch (const fs::filesystem_error& error) {
    check_there();
    throw as_error(error);
  } catch (const std::exception&) {
    check_there();
    throw;
  }
}

void RunFolder::save_last(const Language& nlp) const {
  write_within([&] { nlp.to_disk(path_ / "model-last"); });
}

void RunFolder::copy_last_to_best() const {
  write_within([&] {
    refuse_other_pipeline(path_ / "model-best");
    copy_folder(path_ / "model-last", path_ / "model-best");
  });
}

void RunFolder::keep_best(const fs::path& checkpoint) const {
  const fs::path best = path_ / "model-best";
  if (!fs::is_directory(fs::symlink_status(best))) return;
  fs::create_directory(checkpoint / kBest);
  link_files(best, checkpoint / kBest);
}

// Unless nothing was saved, or put in its place, since the checkpoint.
bool RunFolder::has_other_best(const fs::path& checkpoint) const {
  const fs::path kept = checkpoint / kBest;
  refuse_link(kept);
  std::error_code unknown;
  return fs::is_directory(kept) &&
         !fs::equivalent(kept / "meta.json", path_ / "model-best/meta.json", unknown);
}

// All that may be refused is, before anything changes.
void RunFolder::go_on_from(const fs::path& from, std::int64_t step) {
  const bool replaces_best = has_other_best(from);
  if (replaces_best) {
    check_best_of(from);
    refuse_other_pipeline(path_ / "model-best");
  }
  std::error_code unknown;
  write_within([&] {
    if (!fs::equivalent(from, checkpoint(), unknown)) link_folder(from, checkpoint());
    if (replaces_best) link_folder(checkpoint() / kBest, path_ / "model-best");
  });
  present_step_ = step;
  for (const OlderCheckpoint& later : older_checkpoints(path_)) {
    if (later.step > step) remove_tree(later.path);
  }
}

void RunFolder::save_checkpoint(std::int64_t step, std::int64_t keep_last,
                                const std::function<void(const fs::path&)>& write) {
  // The new checkpoint is complete on the disk before it takes the place of the old one, and older
  // ones are removed last: at any moment a whole checkpoint is there to go on from.
  write_within([&] {
    AtomicFolder building(checkpoint());
    write(building.path());
    if (keep_last > 1 && present_step_ >= 0 && present_step_ < step) {
      building.commit_and_keep(older_checkpoint(path_, present_step_));
    } else {
      building.commit();
    }
  });
  present_step_ = step;
  std::int64_t kept = 1;
  for (const OlderCheckpoint& older : older_checkpoints(path_)) {
    if (older.step < step && ++kept <= keep_last) continue;
    try {
      remove_tree(older.path);
    } catch (const Error&) {
      continue;  // it is tried again with the next one
    }
  }
}

void RunFolder::save_diverged(const std::function<void(const fs::path&)>& write) const {
  write_within([&] {
    AtomicFolder building(diverged());
    write(building.path());
    building.commit();
  });
}

void RunFolder::take_over(const fs::path& other, const fs::path& from, std::int64_t step,
                          const std::vector<fs::path>& logs) {
  std::vector<fs::path> all = logs;
  all.emplace_back(kRunLog);
  // Checkpoints of earlier versions keep no best pipeline.
  const bool keeps_best = is_there(from / kBest);
  const fs::path best = keeps_best ? from / kBest : other / "model-best";
  refuse_link(best);
  if (keeps_best) check_best_of(from);
  for (const fs::path& log : all) {
    if (fs::is_directory(other / log)) refuse_link(other / log);
  }
  // The one that may hold anything comes first: where it cannot be copied, nothing is left.
  if (fs::is_directory(best)) copy_folder(best, path_ / "model-best");
  for (const fs::path& log : all) {
    make_folders((path_ / log).parent_path());
    if (fs::is_directory(other / log)) copy_folder(other / log, path_ / log);
    if (!fs::is_regular_file(other / log)) continue;
    write_file(path_ / log, read_file(other / log));
  }
  copy_folder(from, checkpoint());
  present_step_ = step;
}

}  // namespace weft
