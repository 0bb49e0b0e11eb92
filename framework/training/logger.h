// Reports a training run: tables, files, services. Named by `@loggers`.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <iosfwd>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "framework/pipeline/batch.h"
#include "framework/pipeline/scores.h"
#include "registry/functions/type.h"
#include "registry/value/config.h"

namespace weft {

class Language;

// The result of an evaluation during training.
struct TrainingInfo {
  std::int64_t epoch = 0;
  std::int64_t step = 0;
  double score = 0.0;
  Scores other_scores;
  // Since the last evaluation, of each component that is trained, and of rehearsals that were made.
  Losses losses;
  std::vector<std::pair<double, std::int64_t>> checkpoints;  // (score, step), oldest first
  std::int64_t words = 0;                                    // trained on since the start
  double seconds = 0.0;                                      // spent training since the start
  double words_per_second = 0.0;                             // since the last evaluation
  double learn_rate = 0.0;                                   // of the last step
  // Entities that do not fall on tokens, of each corpus that has any, by what became of them:
  // {"corpora.train": {"drop": 3}}; of a stream, those of the present pass so far.
  Object misaligned = {};
  Object precision = {};  // level, scale and skipped steps; empty at O0
  // Of ranks that do not wait for each other: {"gradients": {"used": 90, "stale": 10}}, since the
  // start of this part of the run; else empty.
  Object gradients = {};
};

// How a run, or this part of it, came to its end.
enum class LogEnd : std::uint8_t { finished, interrupted, failed };

// How far a run has come may be shown on the way to its end or to the next evaluation.
enum class ProgressTarget : std::uint8_t { unsaid, end, next_evaluation };

// Facts of the run that a logger gets at the start.
struct LogSetup {
  const Language* nlp = nullptr;  // outlives the session; null only in tests of a logger alone
  std::ostream& out;
  std::ostream& err;
  bool err_is_terminal = false;
  std::int64_t max_steps = 0;
  std::int64_t eval_frequency = 0;
  std::vector<std::string> loss_names = {};   // the components that are trained
  std::vector<std::string> score_names = {};  // of [training.score_weights] without the nulls
  // Where an earlier part of this run left off: what `position` gave then. Null for a fresh run.
  const Node* resumed = nullptr;
  // The run's output folder, below which files are opened without following links; empty: none.
  std::filesystem::path output = {};
  bool may_replace = false;  // files that are there already
  // The config of the run, filled, with its variables; outlives the session. Null only in tests.
  const Config* config = nullptr;
};

// One run being logged.
class WEFT_API LogSession {
 public:
  virtual ~LogSession() = default;
  // After every update. Weights are to be looked at after `nlp->copy_weights_to_host()` alone.
  virtual void stepped(std::int64_t step) { static_cast<void>(step); }
  virtual void evaluated(const TrainingInfo& info) = 0;
  // The aim of the run's line on the terminal; the run draws it.
  virtual ProgressTarget progress_target() const { return ProgressTarget::unsaid; }
  // Where the log stands, for a run that goes on from here later; null if it keeps nothing. All
  // that was logged is safe on the disk when this returns.
  virtual Node position() { return nullptr; }
  virtual void ended(LogEnd end) { static_cast<void>(end); }  // just before `finish`
  virtual void finish() {}  // after the last step, also when the run ends by an error
};

struct Logger {
  std::function<std::unique_ptr<LogSession>(const LogSetup&)> start;
};

template <>
struct ProductTraits<Logger> {
  static constexpr std::string_view kind = "loggers", name = "logger";
  static constexpr bool callable = true;
  static bool is_nothing(const Logger& logger) { return !logger.start; }
};

}  // namespace weft
