#include "framework/training/train_pipeline.h"

#include <algorithm>
#include <ostream>
#include <utility>

#include <fmt/format.h>

#include "framework/pipeline/build_pipeline.h"
#include "framework/pipeline/check_config.h"
#include "framework/pipeline/initialize.h"
#include "framework/pipeline/load_config.h"
#include "framework/training/jsonl_log.h"
#include "framework/training/loop.h"
#include "registry/error.h"
#include "registry/resolve.h"

namespace weft {
namespace {

void check_path(const Config& values, const std::string& corpus, Problems& problems) {
  const Node* path = values.find(corpus + ".path");
  if (path == nullptr) return;
  const bool is_there = path->is_string() && std::filesystem::exists(path->as_string());
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
  if (output.empty()) return logger;
  std::filesystem::create_directories(output);
  return chain_logs({std::move(logger), jsonl_log(output / "log.jsonl")});
}

void check_precision(const Config& values, const TrainingSettings& settings) {
  if (settings.precision.level == Level::O0) return;
  const Node* place = values.find("training.precision.level");
  throw Error(ErrorKind::config,
              fmt::format("[training.precision] level {}: known, not built yet; O0 is",
                          name_of(settings.precision.level)),
              place == nullptr ? Origin() : place->origin);
}

template <class Settings>
Settings section(const Config& values, std::string_view name, const Catalogue& catalogue) {
  Problems problems;
  auto settings = resolve_section<Settings>(values, name, catalogue, problems);
  throw_errors(std::move(problems));
  return std::move(*settings);
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
  initialize_pipeline(*prepared.nlp, initialization,
                      {examples, static_cast<std::uint64_t>(settings.seed.value_or(0)),
                       settings.frozen_components});
  return prepared;
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
  return *reader;
}

std::shared_ptr<Language> initialized_pipeline(const Config& config, const Catalogue& catalogue) {
  const Config values = expanded(config);
  return prepare(config, values, catalogue,
                 section<TrainingSettings>(values, "training", catalogue))
      .nlp;
}

TrainedPipeline train_pipeline(const Config& config, const Catalogue& catalogue,
                               const TrainOptions& options, std::ostream& out, std::ostream& err) {
  const Config values = expanded(config);
  auto settings = section<TrainingSettings>(values, "training", catalogue);
  check_precision(values, settings);
  Problems problems;
  check_corpora(config, problems);
  check_path(values, settings.train_corpus, problems);
  check_path(values, settings.dev_corpus, problems);
  throw_errors(std::move(problems));
  const Reader dev_corpus = resolve_corpus(values, settings.dev_corpus, catalogue);
  const Prepared prepared = prepare(config, values, catalogue, settings);
  if (options.dry_run) return {prepared.nlp, {}};
  settings.logger = with_file(std::move(settings.logger), options.output);
  WorkerPool pool(options.threads);
  const TrainingPlan plan{.nlp = *prepared.nlp,
                          .settings = settings,
                          .train_corpus = prepared.train_corpus,
                          .dev_corpus = dev_corpus,
                          .pool = pool,
                          .output = options.output,
                          .interrupted = options.interrupted};
  TrainingState state = train(plan, out, err, options.err_is_terminal);
  return {prepared.nlp, std::move(state)};
}

}  // namespace weft
