#include "framework/training/train_pipeline.h"

#include <exception>
#include <filesystem>
#include <memory>
#include <new>
#include <optional>
#include <ostream>
#include <utility>

#include <fmt/format.h>

#include "framework/pipeline/choose_device.h"
#include "framework/pipeline/load_config.h"
#include "framework/pipeline/setting_error.h"
#include "framework/pipeline/worker_pool.h"
#include "framework/training/chain_log.h"
#include "framework/training/configured_run.h"
#include "framework/training/data_facts.h"
#include "framework/training/device_check.h"
#include "framework/training/dry_run.h"
#include "framework/training/jsonl_log.h"
#include "framework/training/kept_inputs.h"
#include "framework/training/loop.h"
#include "framework/training/memory_budget.h"
#include "framework/training/prepared_pipeline.h"
#include "framework/training/rank_session.h"
#include "framework/training/rank_start.h"
#include "framework/training/rehearsal_parts.h"
#include "framework/training/required_section.h"
#include "framework/training/resolve_corpus.h"
#include "framework/training/run_progress.h"
#include "framework/training/run_ranks.h"
#include "framework/training/run_record.h"
#include "framework/training/seed_functions.h"
#include "registry/base/error.h"

namespace weft {
namespace {

// The terminal of a run; that of a rank which is not the root goes nowhere.
struct Terminal {
  std::ostream& out;
  std::ostream& err;
  RunProgress* progress = nullptr;  // null: no line
};

// All that a run reads before its first step. The training setup refers to it.
struct RunParts {
  std::unique_ptr<RunFolder> folder;  // null: nothing is written
  ConfiguredRun run;
  Reader dev_corpus;
  Object data;  // data_facts
  PreparedPipeline prepared;
  Node logs = {};  // where the logs stood, of a run that is started again

  Language& nlp() const { return *prepared.nlp; }
};

// A row stands in the file before the config's own logger, which may take its time, is told of it.
Logger with_file(Logger logger, const std::filesystem::path& output) {
  return chain_logs({std::move(logger), jsonl_log(output / "log.jsonl")}, RowOrder::last_first);
}

void say_where_it_goes_on(const std::filesystem::path& checkpoint, const TrainingState& state,
                          std::ostream& err) {
  const std::string best = describe_best(state);
  err << fmt::format("going on from {}: step {} comes next, epoch {}{}\n", checkpoint.string(),
                     state.step, state.epoch, best.empty() ? "" : "; " + best);
}

RunParts read_parts(const RankSession& session, const Config& config, const Catalogue& catalogue,
                    const TrainOptions& options, const Terminal& terminal) {
  RunParts parts;
  // A checkpoint that is read lies there: no other process may write it meanwhile.
  const bool reads_folder = !options.resume_from.empty() && !options.output.empty();
  if (reads_folder && session.is_root()) parts.folder = std::make_unique<RunFolder>(options.output);
  parts.run = configure_run(config, catalogue, options, session.is_root());
  ConfiguredRun& run = parts.run;
  const std::string& dev = run.settings.dev_corpus;
  parts.dev_corpus = counted(resolve_corpus(run.values, dev, catalogue), terminal.progress, dev);
  parts.data = data_facts(run.values);
  if (run.resumed) {
    check_same_data(run.resumed->checkpoint.data, parts.data, {run.settings.train_corpus, dev});
    parts.prepared =
        restore_prepared(*run.resumed, run.values, catalogue, run.settings, terminal.progress);
  } else {
    parts.prepared =
        prepare_pipeline(run.config, run.values, catalogue, run.settings, terminal.progress);
    tell_doubts(parts.prepared, run.values, run.settings, terminal.err);
  }
  run_on_gpu(parts.nlp(), options.gpu);
  return parts;
}

// As far as a dry run needs it.
TrainingSetup setup_of(const RunParts& parts, WorkerPool& pool, const TrainOptions& options,
                       RunProgress* progress) {
  return {.nlp = parts.nlp(),
          .settings = parts.run.settings,
          .train_corpus = parts.prepared.train_corpus,
          .dev_corpus = parts.dev_corpus,
          .pool = pool,
          .interrupted = options.interrupted,
          .data = parts.data,
          .memory = memory_budget(parts.run.values, parts.nlp()),
          .progress = progress,
          .config = &parts.run.config};
}

// Ranks that are not at the same step cannot save when the clock says so.
void check_checkpoints(const CheckpointSettings& checkpoints, const RunRanks& ranks) {
  if (ranks.in_step() || checkpoints.every_minutes == 0.0) return;
  throw setting_error("training.checkpoints.every_minutes",
                      "it is for ranks in step (sync.v1); take every_steps");
}

// The folder that a run writes, and the files of an earlier run from which it goes on.
void set_up_files(RunParts& parts, TrainingSetup& setup, const Catalogue& catalogue,
                  const TrainOptions& options, bool is_root) {
  if (is_root && !options.output.empty() && !parts.folder) {
    parts.folder = std::make_unique<RunFolder>(options.output);
  }
  // Nothing of an earlier run is touched before this one can start.
  setup.ready = [&parts, &options] {
    if (!parts.folder) return;
    parts.logs = begin_folder(*parts.folder, options, parts.run.resumed, parts.run.logs_below);
  };
  if (parts.folder) {
    parts.run.settings.logger = with_file(std::move(parts.run.settings.logger), options.output);
  }
  setup.folder = parts.folder.get();
  setup.resumed = parts.run.resumed ? &parts.run.resumed->checkpoint : nullptr;
  setup.resumed_log = &parts.logs;
  setup.checkpoints =
      required_section<CheckpointSettings>(parts.run.values, "training.checkpoints", catalogue);
  check_checkpoints(setup.checkpoints, *setup.ranks);
  setup.may_replace = options.overwrite || options.starts_again;
}

TrainedPipeline train_steps(RankSession& session, const RunParts& parts, const TrainingSetup& setup,
                            const TrainOptions& options, const Terminal& terminal) {
  PartOfRun part(setup);
  const auto started = [&](TrainingRun& run) {
    session.begin_steps();
    if (parts.folder) describe_run(*parts.folder, parts.run.config, run, setup, options);
    part.begin();
    if (parts.run.resumed) say_where_it_goes_on(options.resume_from, run.state(), terminal.err);
    if (options.started) options.started();
  };
  try {
    FinishedRun finished =
        train(setup, terminal.out, terminal.err, options.err_is_terminal, started);
    // Where neither of both outputs can be written to, nothing else would say so.
    terminal.out.flush();
    part.end(name_of(finished.end), finished.state.step,
             terminal.out ? "" : "standard output could not be written to");
    session.describe_traffic(terminal.err);
    parts.nlp().copy_weights_to_host();
    std::string how = describe_end(finished.end, finished.state, setup.settings);
    const bool tells = setup.rehearsal != nullptr && finished.end != RunEnd::interrupted;
    if (tells) terminal.out << setup.rehearsal->table();
    return {parts.prepared.nlp, std::move(finished.state), finished.end, std::move(how),
            tells ? setup.rehearsal->lost_too_much() : std::string()};
  } catch (const Error& error) {
    part.fail(error);
    throw;
  }
}

// A run that goes on in its folder has been there before.
void check_output(const Config& config, const TrainOptions& options) {
  if (options.output.empty() || options.dry_run) return;
  const std::filesystem::path& from = options.resume_from;
  std::error_code unknown;
  if (!from.empty() && std::filesystem::equivalent(from / "..", options.output, unknown)) return;
  refuse_to_lose_inputs(expanded(config), options.output);
}

// The main path of a run: reading, the setup, the meeting of the ranks, the steps.
TrainedPipeline train_as_rank(RankSession& session, const Config& config,
                              const Catalogue& catalogue, const TrainOptions& options,
                              const Terminal& terminal) {
  check_for_ranks(options, session.is_alone());
  if (session.is_root()) check_output(config, options);
  seed_functions(expanded(config), catalogue);
  RunParts parts = read_parts(session, config, catalogue, options, terminal);
  WorkerPool pool(options.threads);
  TrainingSetup setup = setup_of(parts, pool, options, terminal.progress);
  if (options.dry_run) {
    print(dry_run(setup, terminal.err), terminal.out);
    return {parts.prepared.nlp, {}};
  }
  const RehearsalParts rehearsal(parts.run.config, parts.run.values, catalogue, parts.run.settings,
                                 parts.nlp(), parts.run.resumed ? &*parts.run.resumed : nullptr,
                                 options);
  setup.rehearsal = rehearsal.get();
  check_device_ops(setup);
  setup.ranks = &session.ranks();
  setup.precision_debug = options.precision_debug;
  setup.verbose = options.verbose;
  set_up_files(parts, setup, catalogue, options, session.is_root());
  session.meet(identity_of(parts.run.shared, parts.data, options), options.allow_mixed_hardware);
  seed_functions(parts.run.values, catalogue);
  return train_steps(session, parts, setup, options, terminal);
}

TrainedPipeline train_in_session(const Config& config, const Catalogue& catalogue,
                                 const TrainOptions& options, const Terminal& terminal) {
  RankSession session(options.launch, strategy_of(config, catalogue), terminal.err, options.waits);
  try {
    return telling_places(
        config, [&] { return train_as_rank(session, config, catalogue, options, terminal); });
  } catch (const AgreedFailure&) {
    throw;
  } catch (const Error& error) {
    session.fail(error);
    throw;
  } catch (const std::bad_alloc&) {
    session.fail(Error(ErrorKind::memory, "out of memory"));
    throw;
  } catch (const std::exception& error) {
    session.fail(Error(ErrorKind::internal, error.what()));
    throw;
  }
}

}  // namespace

TrainedPipeline train_pipeline(const Config& config, const Catalogue& catalogue,
                               const TrainOptions& options, std::ostream& out, std::ostream& err) {
  if (!options.launch.is_root()) {
    std::ostream nothing(nullptr);
    return train_in_session(config, catalogue, options, {nothing, nothing});
  }
  if (!options.progress_width) return train_in_session(config, catalogue, options, {out, err});
  RunProgress progress(err, options.progress_width);
  ProgressLine::Above out_above(out, progress.line());
  ProgressLine::Above err_above(err, progress.line());
  TrainedPipeline trained =
      train_in_session(config, catalogue, options, {out_above, err_above, &progress});
  if (!out_above) out.setstate(std::ios::badbit);
  return trained;
}

}  // namespace weft
