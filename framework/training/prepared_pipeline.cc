#include "framework/training/prepared_pipeline.h"

#include <cstdint>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "framework/pipeline/build_pipeline.h"
#include "framework/pipeline/check_config.h"
#include "framework/pipeline/check_construction.h"
#include "framework/pipeline/init_fault.h"
#include "framework/pipeline/initialize.h"
#include "framework/pipeline/load_config.h"
#include "framework/pipeline/pattern_warnings.h"
#include "framework/pipeline/setting_error.h"
#include "framework/pipeline/sourcing_warnings.h"
#include "framework/training/example_streams.h"
#include "framework/training/required_section.h"
#include "framework/training/resolve_corpus.h"
#include "framework/training/seed_functions.h"
#include "registry/base/error.h"
#include "registry/base/suggest.h"

namespace weft {
namespace {

void check_names(const Language& nlp, const TrainingSettings& settings) {
  std::vector<std::string> names;
  for (const NamedComponent& named : nlp.pipeline()) names.push_back(named.name);
  for (const std::string& name : settings.annotating_components) {
    if (nlp.find(name) != nullptr) continue;
    throw setting_error("training.annotating_components",
                        fmt::format("the pipeline has no component '{}'", name),
                        join_or(nearest(name, names)));
  }
}

// A component does not know where the examples came from that it finds fault with.
bool lacks_place(const Error& error) {
  return error.kind() == ErrorKind::data && error.place().str().empty() &&
         dynamic_cast<const EmptyCorpus*>(&error) == nullptr &&
         dynamic_cast<const InitFault*>(&error) == nullptr;
}

// As many as spaCy takes of any stream.
constexpr int kSampleOfStream = 100;

// The beginning of a stream that may be endless; `is_cut` becomes true where more was asked for.
ExampleStreamPtr beginning_of(std::shared_ptr<ExampleStream> examples, bool& is_cut) {
  return stream_of([examples = std::move(examples), &is_cut, left = kSampleOfStream]() mutable {
    is_cut = is_cut || left == 0;
    return left-- > 0 ? examples->next() : nullptr;
  });
}

void tell_of_sample(const PreparedPipeline& prepared, const TrainingSettings& settings,
                    std::ostream& err) {
  if (!prepared.has_labels_of_beginning) return;
  err << fmt::format(
      "warning: labels come from the first {} examples of {}, as its reader may never end and "
      "max_epochs is -1; [initialize.components.NAME.labels] gives others\n",
      kSampleOfStream, settings.train_corpus);
}

void tell(const Problems& doubts, std::ostream& err) {
  for (const Problem& doubt : doubts) err << "warning: " << doubt.str() << '\n';
}

}  // namespace

PreparedPipeline prepare_pipeline(const Config& config, const Config& values,
                                  const Catalogue& catalogue, TrainingSettings& settings,
                                  RunProgress* progress) {
  Problems problems;
  check_corpus_path(config, values, settings.train_corpus, problems);
  throw_errors(std::move(problems));
  PreparedPipeline prepared{counted(resolve_corpus(values, settings.train_corpus, catalogue),
                                    progress, settings.train_corpus),
                            build_to_initialize(config, catalogue)};
  // Files that [initialize] names are read behind all checks that need none.
  const auto initialization = required_section<InitializeSettings>(values, "initialize", catalogue);
  check_names(*prepared.nlp, settings);
  resolve_freezing(*prepared.nlp, settings);
  const bool may_be_endless = settings.max_epochs < 0 && prepared.train_corpus.may_be_endless;
  const auto examples = [&] {
    ExampleStreamPtr all = prepared.train_corpus.open(*prepared.nlp);
    if (!may_be_endless) return all;
    return beginning_of(std::move(all), prepared.has_labels_of_beginning);
  };
  const InitializeOptions options{examples, static_cast<std::uint64_t>(settings.seed.value_or(0)),
                                  settings.frozen_components};
  try {
    initialize_pipeline(*prepared.nlp, initialization, options);
  } catch (const Error& error) {
    if (!lacks_place(error)) throw;
    throw Error(error.kind(), fmt::format("{}; the data is that of {}", error.message(),
                                          describe_corpus(values, settings.train_corpus)));
  }
  return prepared;
}

PreparedPipeline restore_prepared(const ResumedRun& resumed, const Config& values,
                                  const Catalogue& catalogue, TrainingSettings& settings,
                                  RunProgress* progress) {
  PreparedPipeline prepared{counted(resolve_corpus(values, settings.train_corpus, catalogue),
                                    progress, settings.train_corpus),
                            build_pipeline(resumed.config, catalogue)};
  restore_pipeline(resumed.checkpoint, resumed.folder, *prepared.nlp);
  resolve_freezing(*prepared.nlp, settings);
  return prepared;
}

void tell_doubts(const PreparedPipeline& prepared, const Config& values,
                 const TrainingSettings& settings, std::ostream& err) {
  tell_of_sample(prepared, settings, err);
  const Language& nlp = *prepared.nlp;
  Problems doubts = vector_warnings(nlp, values);
  for (Problem& doubt : frozen_warnings(nlp, values, settings.freezing.at(0).components,
                                        settings.annotating_components)) {
    doubts.push_back(std::move(doubt));
  }
  for (Problem& doubt : pattern_warnings(nlp)) doubts.push_back(std::move(doubt));
  tell(doubts, err);
}

std::shared_ptr<Language> initialized_pipeline(const Config& config, const Catalogue& catalogue,
                                               std::ostream* err) {
  const Config values = expanded(config);
  seed_functions(values, catalogue);
  auto settings = required_section<TrainingSettings>(values, "training", catalogue);
  return telling_places(config, [&] {
    const auto prepared = prepare_pipeline(config, values, catalogue, settings, nullptr);
    if (err == nullptr) return prepared.nlp;
    tell_of_sample(prepared, settings, *err);
    tell(pattern_warnings(*prepared.nlp), *err);
    return prepared.nlp;
  });
}

}  // namespace weft
