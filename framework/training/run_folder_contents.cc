#include "framework/training/run_folder_contents.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <string>
#include <system_error>
#include <thread>

#include <fcntl.h>
#include <fmt/format.h>

#include "framework/io/descriptor.h"
#include "framework/io/file_limits.h"
#include "framework/io/folder_tree.h"
#include "framework/io/input_lines.h"
#include "framework/io/system_error.h"
#include "framework/io/temporary_name.h"
#include "framework/pipeline/replaceable_folder.h"
#include "framework/training/checkpoint.h"
#include "registry/base/error.h"
#include "registry/base/input_file.h"
#include "registry/value/json.h"

namespace weft {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kOlder = "checkpoint-";

// Whether a run may have written that folder, which may be half removed: something of a checkpoint
// is in it, or nothing at all.
bool may_be_checkpoint(const fs::path& folder) {
  std::error_code unknown;
  if (fs::is_empty(folder, unknown)) return true;
  constexpr std::array parts = {"state.json", "optimizer.safetensors", "pipeline", "model"};
  return std::any_of(parts.begin(), parts.end(),
                     [&](const char* part) { return is_there(folder / part); });
}

// Of a folder checkpoint-STEP that a run may have written.
std::optional<std::int64_t> step_of_older(const fs::directory_entry& entry) {
  const std::string name = entry.path().filename().string();
  std::error_code unknown;
  if (!entry.is_directory(unknown) || !name.starts_with(kOlder)) return std::nullopt;
  std::int64_t step = 0;
  const char* end = name.data() + name.size();
  const auto read = std::from_chars(name.data() + kOlder.size(), end, step);
  const bool is_number = read.ec == std::errc() && read.ptr == end;
  return is_number && may_be_checkpoint(entry.path()) ? std::optional(step) : std::nullopt;
}

// Whether the checkpoint was moved aside by a run that was killed before the new one had its name.
bool waits_for_repair(const fs::path& folder) {
  if (is_there(folder / "checkpoint")) return false;
  const Descriptor opened(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!opened) return false;
  const std::vector<std::string> names = names_in(opened.get(), folder);
  return std::any_of(names.begin(), names.end(), [](const std::string& name) {
    const auto parsed = parse_temporary_name(name);
    return parsed && parsed->kind == TemporaryKind::old && parsed->name == "checkpoint";
  });
}

// Whether a run, or its pretraining, has left a network in the folder.
bool holds_results(const fs::path& folder) {
  if (is_there(folder / "model-best") || is_there(folder / "model-last")) return true;
  std::error_code unknown;
  for (const auto& entry : fs::directory_iterator(folder, unknown)) {
    const std::string name = entry.path().filename().string();
    if (name.starts_with("model") && name.ends_with(".bin")) return true;
  }
  return false;
}

// Whether a run wrote the file: each line of a log tells its epoch. A run that was killed may have
// left a part of the first line.
bool is_log(const fs::path& file) {
  InputLines lines(file.string(), kLongestTextLine);
  std::string line;
  if (!lines.next(line)) return true;
  const std::optional<Node> row = parse_json(line);
  if (!row) return !lines.next(line);
  return row->is_object() && row->as_object().contains("epoch");
}

// At most two.
int lines_of_log(const fs::path& log) {
  if (!is_there(log)) return 0;
  InputLines lines(log.string(), kLongestTextLine);
  std::string line;
  if (!lines.next(line)) return 0;
  return lines.next(line) ? 2 : 1;
}

}  // namespace

std::vector<fs::path> files_of_run(const fs::path& output) {
  return {output / "run.json", output / "config.cfg", output / kRunLog};
}

std::vector<fs::path> folders_of_run(const fs::path& output) {
  std::vector<fs::path> folders;
  for (const char* name : {"model-last", "model-best", "checkpoint", "diverged"}) {
    folders.push_back(output / name);
  }
  std::error_code unknown;
  if (!fs::is_directory(output, unknown)) return folders;
  for (const OlderCheckpoint& older : older_checkpoints(output)) folders.push_back(older.path);
  return folders;
}

fs::path older_checkpoint(const fs::path& output, std::int64_t step) {
  return output / fmt::format("{}{}", kOlder, step);
}

std::vector<OlderCheckpoint> older_checkpoints(const fs::path& folder) {
  std::vector<OlderCheckpoint> found;
  try {
    for (const auto& entry : fs::directory_iterator(folder)) {
      if (const auto step = step_of_older(entry)) found.push_back({*step, entry.path()});
    }
  } catch (const fs::filesystem_error& error) {
    throw as_error(error);
  }
  std::sort(found.begin(), found.end(),
            [](const auto& left, const auto& right) { return left.step > right.step; });
  return found;
}

void refuse_link(const fs::path& folder) {
  std::error_code unknown;
  if (!fs::is_symlink(folder, unknown)) return;
  throw Error(ErrorKind::usage,
              fmt::format("{} is a link, and is not followed; put the folder itself in its place",
                          folder.string()));
}

void refuse_other_pipeline(const fs::path& folder) {
  if (!fs::is_symlink(folder)) refuse_other_folder(folder);
}

void refuse_other_kind(const fs::path& output, RunKind own) {
  const fs::path checkpoint = output / "checkpoint";
  const bool is_trained = is_there(output / "run.json") || is_there(checkpoint / "pipeline");
  const bool is_pretrained = !is_trained && is_there(checkpoint / "model");
  const bool is_wrong = own == RunKind::training ? is_pretrained : is_trained;
  if (!is_wrong) return;
  throw Error(ErrorKind::usage,
              fmt::format("{} holds {}, whose files have the same names; give another folder",
                          output.string(), is_trained ? "a training run" : "a pretraining"));
}

void refuse_other_things(const fs::path& output, RunKind own) {
  refuse_other_kind(output, own);
  for (const fs::path& file : files_of_run(output)) {
    const fs::file_status found = fs::symlink_status(file);
    if (!fs::exists(found) || fs::is_regular_file(found) || fs::is_symlink(found)) continue;
    throw Error(ErrorKind::usage,
                fmt::format("{} is {}, where a run writes a file; give another --output, or move "
                            "it away",
                            file.string(), fs::is_directory(found) ? "a folder" : "no file"));
  }
  for (const fs::path& folder : {output / "checkpoint", output / "diverged"}) {
    if (!fs::is_directory(fs::symlink_status(folder)) || may_be_checkpoint(folder)) continue;
    throw Error(ErrorKind::usage, fmt::format("{} exists and is no checkpoint", folder.string()));
  }
  for (const char* name : {"model-last", "model-best"}) refuse_other_pipeline(output / name);
}

void refuse_linked_checkpoint(const fs::path& output, const fs::path& checkpoint) {
  const fs::path named = checkpoint.has_filename() ? checkpoint : checkpoint.parent_path();
  std::error_code unknown;
  if (fs::equivalent(parent_of(named), output, unknown)) refuse_link(named);
}

void await_repair(const fs::path& folder, std::chrono::seconds longest) {
  const auto end = std::chrono::steady_clock::now() + longest;
  while (waits_for_repair(folder) && std::chrono::steady_clock::now() < end) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
}

void refuse_to_start_again(const fs::path& folder, const fs::path& last_written) {
  const fs::path checkpoint = folder / "checkpoint", log = folder / kRunLog;
  const bool has_begun = is_there(folder / last_written);
  if (has_begun && is_there(checkpoint) && !is_there(checkpoint / "state.json")) {
    throw Error(ErrorKind::data, fmt::format("the checkpoint {} is damaged: it has no state.json; "
                                             "--overwrite starts the run from the beginning",
                                             checkpoint.string()));
  }
  const bool is_half_cleared = !is_there(folder / "run.json") && !is_there(folder / "config.cfg") &&
                               is_there(log) && is_log(log);
  const int lines = lines_of_log(log);
  const bool had_none = has_begun && lines < 2 && is_there(log);
  if (is_half_cleared || had_none || (lines < 2 && !holds_results(folder))) return;
  throw Error(ErrorKind::usage,
              fmt::format("{} has the results of a run, and no checkpoint to go on from; "
                          "--overwrite starts from the beginning and replaces them",
                          folder.string()));
}

fs::path checkpoint_to_resume(const fs::path& output, bool may_replace) {
  const fs::path checkpoint = output / "checkpoint";
  refuse_linked_checkpoint(output, checkpoint);
  refuse_other_kind(output, RunKind::training);
  if (is_checkpoint(checkpoint)) return checkpoint;
  if (!may_replace) refuse_to_start_again(output, "run.json");
  return {};
}

}  // namespace weft
