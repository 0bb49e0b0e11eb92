// Scores of a pipeline on examples that come one by one: a few thousand tokens are in memory at a
// time. The scores are those of all of them at once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "framework/pipeline/language.h"
#include "framework/pipeline/prediction_groups.h"
#include "framework/pipeline/scores.h"
#include "framework/pipeline/worker_pool.h"
#include "registry/base/export.h"

namespace weft {

class WEFT_API Evaluation {
 public:
  // Both outlive the evaluation.
  Evaluation(const Language& nlp, WorkerPool& pool);
  ~Evaluation();

  void add(Example example);
  // From now on `annotate` takes the place of the pipeline, for documents of about so many tokens
  // at a time: those that several ranks share. Gives how many it annotated, as
  // Language::annotate_some.
  using Annotate = std::function<std::size_t(std::span<Doc* const>)>;
  void annotate_by(Annotate annotate, std::size_t tokens_at_once);
  // Nothing is scored: for ranks whose scores nobody asks for.
  void annotate_only() { sessions_.clear(); }
  // Several at once, whose predicted documents are annotated in place.
  void annotate(std::span<Example> examples);
  // From now on `watch` sees all examples once they are annotated and scored.
  void set_watch(std::function<void(std::span<const Example>)> watch) { watch_ = std::move(watch); }
  // The scores of the tokenizer and of every component, and `speed` in words per second of
  // prediction.
  Scores finish();
  // The same, the scores of each component in an object under its name, those of the tokenizer
  // under "tokenizer".
  Scores finish_by_component();
  // Adds all of them, to the end. `annotated` is told again and again how many have been.
  void read(ExampleStream& examples, const std::function<void(std::int64_t)>& annotated = {});
  // The same and `finish`.
  Scores of(ExampleStream& examples, const std::function<void(std::int64_t)>& annotated = {});

 private:
  std::size_t annotate_some(std::span<Example> examples);
  void flush();
  double speed() const { return seconds_ > 0 ? static_cast<double>(words_) / seconds_ : 0.0; }

  const Language& nlp_;
  WorkerPool& pool_;
  std::vector<std::pair<std::string, ScoreSessionPtr>> sessions_;  // by component
  std::function<void(std::span<const Example>)> watch_;
  Annotate annotate_;
  std::size_t tokens_at_once_;
  PredictionGroups groups_;
  std::vector<Example> waiting_;  // whole groups, and the one that is not full yet
  std::size_t waiting_tokens_ = 0;
  std::int64_t annotated_ = 0;
  std::size_t words_ = 0;
  double seconds_ = 0.0;
};

// The scores of the components on documents that are annotated already, without the tokenizer's.
WEFT_API Scores component_scores(const Language& nlp, std::span<const Example> annotated);

}  // namespace weft
