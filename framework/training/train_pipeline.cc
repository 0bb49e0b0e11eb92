#include "framework/training/train_pipeline.h"

#include <algorithm>
#include <optional>
#include <ostream>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "framework/io/atomic_file.h"
#include "framework/pipeline/build_pipeline.h"
#include "framework/pipeline/check_config.h"
#include "framework/pipeline/choose_device.h"
#include "framework/pipeline/initialize.h"
#include "framework/pipeline/load_config.h"
#include "framework/training/data_facts.h"
#include "framework/training/device_check.h"
#include "framework/training/dry_run.h"
#include "framework/training/example_streams.h"
#include "framework/training/jsonl_log.h"
#include "framework/training/loop.h"
#include "framework/training/manifest.h"
#include "framework/training/memory_plan.h"
#include "framework/training/resume.h"
#include "framework/training/written_paths.h"
#include "registry/base/error.h"
#include "registry/base/input_file.h"
#include "registry/building/resolve.h"
#include "registry/value/json.h"

namespace weft {
namespace {

void check_path(const Config& values, const std::string& corpus, Problems& problems) {
  const Node* path = values.find(corpus + ".path");
  if (path == nullptr) return;
  const bool is_there = path->is_string() && weft::is_there(path->as_string());
  if (is_there || !(path->is_null() || path->is_string())) return;
  Problem problem;
  problem.kind = ProblemKind::validation;
  problem.place = path->origin;
  problem.path = corpus + ".path";
  problem.message =
      path->is_null() ? fmt::format("no file is given; write it there or as --{}.path FILE", corpus)
                      : fmt::format("there is no file or folder '{}'", path->as_string());
  problems.push_back(std::move(problem));
}

void check_shuffle_window(const Config& values, const TrainingSettings& settings) {
  if (settings.shuffle_window == 0 || settings.max_epochs < 0) return;
  const Node* place = values.find("training.shuffle_window");
  throw Error(ErrorKind::config,
              "[training] shuffle_window is for streams, which max_epochs = -1 asks for; otherwise "
              "the whole corpus is shuffled",
              place == nullptr ? Origin() : place->origin);
}

void check_names(const Language& nlp, const TrainingSettings& settings) {
  for (const auto& names : {settings.frozen_components, settings.annotating_components}) {
    for (const std::string& name : names) {
      if (nlp.find(name) != nullptr) continue;
      throw Error(ErrorKind::config,
                  fmt::format("[training] names a component '{}' that the pipeline lacks", name));
    }
  }
}

Logger with_file(Logger logger, const std::filesystem::path& output) {
  return chain_logs({std::move(logger), jsonl_log(output / "log.jsonl")});
}

template <class Settings>
Settings section(const Config& values, std::string_view name, const Catalogue& catalogue) {
  Problems problems;
  auto settings = resolve_section<Settings>(values, name, catalogue, problems);
  throw_errors(std::move(problems));
  return std::move(*settings);
}

// Where the examples of a corpus come from: "[corpora.dev], dev.conll".
std::string described(const Config& values, const std::string& corpus) {
  const Node* path = values.find(corpus + ".path");
  if (path == nullptr || !path->is_string()) return fmt::format("[{}]", corpus);
  return fmt::format("[{}], {}", corpus, path->as_string());
}

// The reader's examples; to have none is an error that says whose fault it is.
Reader never_empty(const Reader& reader, const Config& values, const std::string& corpus) {
  std::string message = "there is no example in " + described(values, corpus);
  const Node* limit = values.find(corpus + ".max_length");
  if (limit != nullptr && limit->is_integer() && limit->as_integer() > 0) {
    message += fmt::format(" (documents of max_length = {} tokens and more are left out)",
                           limit->as_integer());
  }
  const auto checked = [message](std::shared_ptr<ExampleStream> examples) {
    return stream_of([examples = std::move(examples), message, any = false]() mutable {
      ExamplePtr example = examples->next();
      if (!example && !any) throw Error(ErrorKind::data, message);
      any = true;
      return example;
    });
  };
  return {[reader, checked](const Language& nlp) { return checked(reader.open(nlp)); },
          [reader, checked](const Language& nlp, const MisalignedSink& tell) {
            return checked(open_telling(reader, nlp, tell));
          },
          reader.on_misaligned};
}

// A component does not know where the data came from that it finds fault with.
bool lacks_place(const Error& error, const std::string& corpus) {
  return error.kind() == ErrorKind::data && error.place().str().empty() &&
         error.message().find(corpus) == std::string::npos;
}

struct Prepared {
  Reader train_corpus;
  std::shared_ptr<Language> nlp;  // initialised
};

Prepared prepare(const Config& config, const Config& values, const Catalogue& catalogue,
                 const TrainingSettings& settings) {
  const auto initialization = section<InitializeSettings>(values, "initialize", catalogue);
  Prepared prepared{resolve_corpus(values, settings.train_corpus, catalogue),
                    build_pipeline(config, catalogue)};
  check_names(*prepared.nlp, settings);
  const auto examples = [&] { return prepared.train_corpus.open(*prepared.nlp); };
  const InitializeOptions options{examples, static_cast<std::uint64_t>(settings.seed.value_or(0)),
                                  settings.frozen_components};
  try {
    initialize_pipeline(*prepared.nlp, initialization, options);
  } catch (const Error& error) {
    if (!lacks_place(error, settings.train_corpus)) throw;
    throw Error(error.kind(), fmt::format("{}; the data is that of {}", error.message(),
                                          described(values, settings.train_corpus)));
  }
  return prepared;
}

Prepared restore(const ResumedRun& resumed, const Config& values, const Catalogue& catalogue,
                 const TrainingSettings& settings) {
  Prepared prepared{resolve_corpus(values, settings.train_corpus, catalogue),
                    build_pipeline(resumed.config, catalogue)};
  restore_pipeline(resumed.checkpoint, resumed.folder, *prepared.nlp);
  return prepared;
}

void check_before(const Config& config, const Config& values, const TrainingSettings& settings) {
  check_shuffle_window(values, settings);
  Problems problems;
  check_corpora(config, problems);
  check_path(values, settings.train_corpus, problems);
  check_path(values, settings.dev_corpus, problems);
  throw_errors(std::move(problems));
}

// Before anything is read: what the run may not write would only be found out when it starts. Gives
// the files of loggers below the output.
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

// Makes the folder ready for this run; gives where the logs stood when a run that is started again
// began, or null.
Node begin_folder(RunFolder& folder, const TrainOptions& options,
                  const std::optional<ResumedRun>& resumed,
                  const std::vector<std::filesystem::path>& logs_below) {
  if (!resumed) {
    Node logs = options.starts_again ? manifest_log(folder.manifest()) : Node();
    folder.begin_anew();
    return logs;
  }
  const std::filesystem::path& from = options.resume_from;
  std::error_code unknown;
  if (std::filesystem::equivalent(from, folder.checkpoint(), unknown)) {
    folder.checkpoint_is_of(resumed->checkpoint.training.step);
  } else if (!std::filesystem::equivalent(from / "..", folder.path(), unknown)) {
    folder.take_over(from / "..", logs_below);
  }
  return nullptr;
}

// The config and the manifest, once everything is read and the logs are open.
void describe_run(const RunFolder& folder, const Config& config, TrainingRun& run,
                  const TrainingPlan& plan, const TrainOptions& options) {
  const std::string text = config_text(config);
  write_file(folder.path() / "config.cfg", text);
  Object manifest = make_manifest(text, plan.data, run.log_position(),
                                  {.from_step = run.state().step, .threads = options.threads});
  if (plan.resumed != nullptr) manifest = continued_manifest(folder.manifest(), manifest);
  write_file(folder.manifest(), to_standard_json(manifest) + "\n");
}

}  // namespace

Reader resolve_corpus(const Config& values, const std::string& name, const Catalogue& catalogue) {
  Problems problems;
  check_path(values, name, problems);
  throw_errors(problems);
  const auto corpus = resolve_at(values, name, catalogue, {}, problems);
  throw_errors(std::move(problems));
  const Reader* reader = corpus->is_product() ? corpus->product().get<Reader>() : nullptr;
  if (reader == nullptr) {
    throw Error(ErrorKind::config,
                fmt::format("[{}] is {}, not a reader of examples", name, corpus->type_name()));
  }
  return never_empty(*reader, values, name);
}

std::shared_ptr<Language> initialized_pipeline(const Config& config, const Catalogue& catalogue) {
  const Config values = expanded(config);
  return prepare(config, values, catalogue,
                 section<TrainingSettings>(values, "training", catalogue))
      .nlp;
}

TrainedPipeline train_pipeline(const Config& config, const Catalogue& catalogue,
                               const TrainOptions& options, std::ostream& out, std::ostream& err) {
  std::optional<RunFolder> folder;
  const bool resumes = !options.resume_from.empty();
  if (resumes && !options.output.empty()) folder.emplace(options.output);
  std::optional<ResumedRun> resumed;
  if (resumes) resumed = open_checkpoint(options.resume_from, config, catalogue);
  const Config& used = resumed ? resumed->config : config;
  Config values = expanded(used);
  const auto logs_below = place_logs(values, catalogue, options);
  auto settings = section<TrainingSettings>(values, "training", catalogue);
  check_before(used, values, settings);
  const Reader dev_corpus = resolve_corpus(values, settings.dev_corpus, catalogue);
  const Object data = data_facts(values);
  if (resumed) check_same_data(resumed->checkpoint.data, data);
  const Prepared prepared = resumed ? restore(*resumed, values, catalogue, settings)
                                    : prepare(config, values, catalogue, settings);
  run_on_gpu(*prepared.nlp, options.gpu);
  WorkerPool pool(options.threads);
  TrainingPlan plan{.nlp = *prepared.nlp,
                    .settings = settings,
                    .train_corpus = prepared.train_corpus,
                    .dev_corpus = dev_corpus,
                    .pool = pool,
                    .interrupted = options.interrupted,
                    .data = data,
                    .memory = plan_memory(values, *prepared.nlp)};
  if (options.dry_run) {
    print(dry_run(plan, err), out);
    return {prepared.nlp, {}};
  }
  check_device_ops(plan);
  if (!options.output.empty() && !folder) folder.emplace(options.output);
  Node logs;
  // Nothing of an earlier run is touched before this one can start.
  plan.ready = [&] {
    if (folder) logs = begin_folder(*folder, options, resumed, logs_below);
  };
  if (folder) settings.logger = with_file(std::move(settings.logger), options.output);
  plan.folder = folder ? &*folder : nullptr;
  plan.resumed = resumed ? &resumed->checkpoint : nullptr;
  plan.resumed_log = &logs;
  plan.checkpoints = section<CheckpointSettings>(values, "training.checkpoints", catalogue);
  plan.precision_debug = options.precision_debug;
  plan.verbose = options.verbose;
  plan.may_replace = options.overwrite || options.starts_again;
  const auto started = [&](TrainingRun& run) {
    if (folder) describe_run(*folder, used, run, plan, options);
    if (options.started) options.started();
  };
  TrainingState state = train(plan, out, err, options.err_is_terminal, started);
  prepared.nlp->bring_weights_back();
  return {prepared.nlp, std::move(state)};
}

}  // namespace weft
