#include "framework/pipeline/evaluation.h"

#include <chrono>
#include <utility>

#include "framework/pipeline/score_sessions.h"

namespace weft {
namespace {

// Work for several threads at a time.
constexpr std::size_t kTokensAtOnce = std::size_t{1} << 15;

}  // namespace

Evaluation::Evaluation(const Language& nlp, WorkerPool& pool) : nlp_(nlp), pool_(pool) {
  sessions_.push_back(start_session(nlp.settings().tokenizer.scorer));
  for (const NamedComponent& component : nlp.pipeline()) {
    if (component.enabled) sessions_.push_back(component.component->start_scores());
  }
}

Evaluation::~Evaluation() = default;

void Evaluation::add(Example example) {
  const auto tokens = static_cast<std::size_t>(example.size());
  waiting_.push_back(std::move(example));
  waiting_tokens_ += tokens;
  const bool group_ends = groups_.add(tokens);
  if (group_ends && waiting_tokens_ >= kTokensAtOnce) flush();
}

void Evaluation::annotate(std::span<Example> examples) {
  std::vector<Doc*> docs;
  for (Example& example : examples) {
    docs.push_back(&example.predicted());
    words_ += static_cast<std::size_t>(example.size());
  }
  const auto start = std::chrono::steady_clock::now();
  nlp_.annotate(docs, pool_);
  seconds_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  for (const ScoreSessionPtr& session : sessions_) session->add(examples);
}

void Evaluation::flush() {
  annotate(waiting_);
  waiting_.clear();
  waiting_tokens_ = 0;
}

Scores Evaluation::finish() {
  flush();
  Scores scores;
  for (const ScoreSessionPtr& session : sessions_) {
    for (const auto& [name, score] : session->finish()) scores.set(name, score);
  }
  scores.set("speed", seconds_ > 0 ? static_cast<double>(words_) / seconds_ : 0.0);
  return scores;
}

Scores Language::evaluate(std::span<Example> examples, WorkerPool& pool) const {
  Evaluation evaluation(*this, pool);
  evaluation.annotate(examples);
  return evaluation.finish();
}

Scores Language::evaluate(ExampleStream& examples, WorkerPool& pool) const {
  Evaluation evaluation(*this, pool);
  while (const ExamplePtr example = examples.next()) {
    // Somebody else may hold it.
    evaluation.add(example.use_count() == 1 ? std::move(*example) : *example);
  }
  return evaluation.finish();
}

}  // namespace weft
