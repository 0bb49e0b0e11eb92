#include "framework/training/run_record.h"

#include <exception>
#include <string>
#include <system_error>

#include "framework/io/atomic_file.h"
#include "framework/io/folder_tree.h"
#include "framework/pipeline/load_config.h"
#include "framework/pipeline/sourced_component.h"
#include "framework/training/manifest.h"
#include "registry/value/json.h"

namespace weft {
namespace {

// The folder that a checkpoint lies in, by the shorter of its names where that is the same one.
std::filesystem::path run_of(const std::filesystem::path& checkpoint) {
  const std::filesystem::path name = checkpoint.filename();
  std::error_code unknown;
  const bool is_plain = !name.empty() && name != "." && name != ".." &&
                        !std::filesystem::is_symlink(checkpoint, unknown);
  return is_plain ? parent_of(checkpoint) : checkpoint / "..";
}

}  // namespace

Node begin_folder(RunFolder& folder, const TrainOptions& options,
                  const std::optional<ResumedRun>& resumed,
                  const std::vector<std::filesystem::path>& logs_below) {
  if (!resumed) {
    Node logs = options.starts_again ? manifest_log(folder.manifest()) : Node();
    folder.begin_anew();
    return logs;
  }
  check_manifest(folder.manifest());
  const std::filesystem::path& from = options.resume_from;
  const std::int64_t step = resumed->checkpoint.training.step;
  std::error_code unknown;
  const auto is_same = [&](const std::filesystem::path& left, const std::filesystem::path& right) {
    return std::filesystem::equivalent(left, right, unknown);
  };
  if (!is_same(from / "..", folder.path())) {
    folder.take_over(run_of(from), from, step, logs_below);
  } else if (!is_same(from, folder.diverged())) {  // which is ahead of the checkpoint
    folder.go_on_from(from, step);
  }
  return nullptr;
}

void describe_run(const RunFolder& folder, const Config& config, TrainingRun& run,
                  const TrainingSetup& setup, const TrainOptions& options) {
  const std::filesystem::path file = folder.path() / "config.cfg";
  const std::string text =
      config_text(setup.resumed == nullptr ? config : with_sources_of(file, config));
  write_file(file, text);
  Object manifest = make_manifest(text, setup.data, run.log_position(),
                                  {.from_step = run.state().step, .threads = options.threads});
  if (setup.resumed != nullptr) manifest = continued_manifest(folder.manifest(), manifest);
  write_file(folder.manifest(), to_standard_json(manifest) + "\n");
}

void PartOfRun::begin() {
  has_begun_ = true;
  began_ = std::chrono::steady_clock::now();
}

void PartOfRun::write_end(const PartEnd& end) const {
  if (!has_begun_ || setup_.folder == nullptr) return;
  PartEnd timed = end;
  timed.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began_).count();
  const Object manifest = ended_manifest(setup_.folder->manifest(), timed);
  if (manifest.empty()) return;
  write_file(setup_.folder->manifest(), to_standard_json(manifest) + "\n");
}

void PartOfRun::end(std::string_view why, std::int64_t to_step, std::string_view message) const {
  write_end({.why = std::string(why), .to_step = to_step, .message = std::string(message)});
}

void PartOfRun::fail(const Error& error) const {
  try {
    write_end({.why = error.kind() == ErrorKind::diverged ? "diverged" : "error",
               .message = error.what()});
  } catch (const std::exception&) {
    return;
  }
}

}  // namespace weft
