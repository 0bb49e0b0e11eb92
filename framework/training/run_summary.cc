#include "framework/training/run_summary.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "framework/pipeline/check_config.h"
#include "framework/training/checkpoint.h"
#include "framework/training/manifest.h"
#include "framework/training/run_folder.h"
#include "framework/training/run_progress.h"
#include "registry/base/error.h"
#include "registry/base/input_file.h"
#include "registry/reading/cfg_reader.h"
#include "registry/value/members.h"

namespace weft {
namespace {

namespace fs = std::filesystem;

void take_manifest(const Object& manifest, RunSummary& run) {
  const Node* parts = manifest.find("parts");
  if (parts == nullptr || !parts->is_list() || parts->as_list().empty()) return;
  run.parts = static_cast<std::int64_t>(parts->as_list().size());
  const Node& last = parts->as_list().back();
  if (!last.is_object()) return;
  run.ended = text_at(last.as_object(), "ended");
  run.message = text_at(last.as_object(), "message");
  run.threads = count_at(last.as_object(), "threads", 0);
  run.steps = count_at(last.as_object(), "to_step", -1);
  if (const Object* time = object_at(last.as_object(), "time")) {
    run.started = text_at(*time, "started");
    run.finished = text_at(*time, "ended");
  }
}

std::string state_of(const RunSummary& run) {
  if (run.goes_on) return "running";
  if (run.ended.empty()) return "killed";
  if (run.ended == "interrupted") return "interrupted";
  if (run.ended == "diverged") return "diverged; weft debug step shows the step";
  const std::string more = run.message.empty() ? "" : "; " + run.message;
  if (run.ended == "error") return "ended by an error" + more;
  return fmt::format("ended: {}{}", run.ended, more);
}

Object object_of(const LoggedEvaluation& evaluation) {
  Object object;
  object.set("step", evaluation.step);
  object.set("epoch", evaluation.epoch);
  object.set("score", evaluation.score);
  object.set("scores", evaluation.scores);
  object.set("losses", evaluation.losses);
  return object;
}

// Why a folder is none of a run.
std::string fault_of(const fs::path& folder) {
  std::error_code unknown;
  if (!fs::exists(folder, unknown)) return "there is nothing of that name";
  for (const auto& entry : fs::directory_iterator(folder, unknown)) {
    if (is_run_folder(entry.path())) {
      return fmt::format("it holds runs, as {}", entry.path().string());
    }
  }
  return "it has no run.json";
}

}  // namespace

bool is_run_folder(const fs::path& folder) {
  return is_there(folder / "run.json") && !is_there(folder / "meta.json");
}

RunSummary read_run(const fs::path& folder) {
  if (!is_run_folder(folder)) {
    throw Error(ErrorKind::usage,
                fmt::format("{} is no folder of a run: {}", folder.string(), fault_of(folder)));
  }
  RunSummary run;
  run.folder = folder;
  Problems problems;
  require_regular(folder / "config.cfg");
  run.config = read_config_file(folder / "config.cfg", problems, {.interpolate = true});
  throw_errors(std::move(problems));
  take_manifest(read_whole_manifest(folder / "run.json"), run);
  run.log = read_run_log(folder / "log.jsonl");
  run.goes_on = is_written_now(folder);
  run.has_checkpoint = is_checkpoint(folder / "checkpoint");
  return run;
}

Object describe_run(const RunSummary& run) {
  Object facts;
  facts.set("run", run.folder.string());
  facts.set("state", state_of(run));
  const bool stopped = run.ended == "interrupted" || (run.ended.empty() && run.has_checkpoint);
  if (stopped && !run.goes_on) {
    facts.set("to go on", fmt::format("weft train --resume --output {}", run.folder.string()));
  }
  if (run.steps >= 0) facts.set("steps", run.steps);
  facts.set("evaluations", run.log.evaluations);
  if (run.log.best) facts.set("best", object_of(*run.log.best));
  if (run.log.last) {
    const LoggedEvaluation& last = *run.log.last;
    facts.set("last", object_of(last));
    facts.set("words", last.words);
    facts.set("training time", duration_text(last.seconds));
    // A file that somebody has changed may tell of any time.
    const double speed = last.seconds > 0 ? static_cast<double>(last.words) / last.seconds : 0.0;
    facts.set("words per second", static_cast<std::int64_t>(std::clamp(speed, 0.0, 1e15)));
  }
  facts.set("threads", run.threads);
  facts.set("parts", run.parts);
  facts.set("started", run.started);
  if (!run.finished.empty()) facts.set("ended", run.finished);
  facts.set("config", (run.folder / "config.cfg").string());
  return facts;
}

}  // namespace weft
