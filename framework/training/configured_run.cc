#include "framework/training/configured_run.h"

#include <memory>
#include <utility>

#include "framework/pipeline/check_config.h"
#include "framework/pipeline/load_config.h"
#include "framework/pipeline/setting_error.h"
#include "framework/training/logger.h"
#include "framework/training/required_section.h"
#include "framework/training/resolve_corpus.h"
#include "framework/training/written_paths.h"

namespace weft {
namespace {

void check_shuffle_window(const TrainingSettings& settings) {
  if (settings.shuffle_window == 0 || settings.max_epochs < 0) return;
  throw setting_error("training.shuffle_window",
                      "it is for streams, which max_epochs = -1 asks for; otherwise the whole "
                      "corpus is shuffled");
}

void check_before(const Config& config, const Config& values, const TrainingSettings& settings) {
  check_shuffle_window(settings);
  Problems problems;
  check_corpora(config, problems);
  check_corpus_path(config, values, settings.train_corpus, problems);
  check_corpus_path(config, values, settings.dev_corpus, problems);
  throw_errors(std::move(problems));
}

// Before anything is read: a file that the run may not write would only be found out when it
// starts. Gives the files of loggers below the output.
std::vector<std::filesystem::path> place_logs(Config& values, const Catalogue& catalogue,
                                              const TrainOptions& options) {
  Problems problems;
  std::vector<std::filesystem::path> logs;
  if (options.dry_run && options.output.empty()) {
    check_written_paths(values, catalogue, problems);
  } else {
    logs = place_written_paths(values, catalogue, options.output, problems);
  }
  throw_errors(std::move(problems));
  return logs;
}

// Of a rank that logs nothing.
class NoLog final : public LogSession {
  void evaluated(const TrainingInfo&) override {}
};

Logger no_log() {
  return {[](const LogSetup&) { return std::make_unique<NoLog>(); }};
}

}  // namespace

ConfiguredRun configure_run(const Config& config, const Catalogue& catalogue,
                            const TrainOptions& options, bool is_root) {
  ConfiguredRun run;
  if (!options.resume_from.empty()) {
    run.resumed = open_checkpoint(options.resume_from, config, catalogue);
  }
  run.config = run.resumed ? run.resumed->config : config;
  run.shared = expanded(run.config);
  run.values = run.shared;
  if (is_root) run.logs_below = place_logs(run.values, catalogue, options);
  run.settings = required_section<TrainingSettings>(run.values, "training", catalogue);
  if (!is_root) run.settings.logger = no_log();
  check_before(run.config, run.values, run.settings);
  return run;
}

}  // namespace weft
