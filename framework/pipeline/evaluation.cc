#include "framework/pipeline/evaluation.h"

#include <chrono>
#include <memory>
#include <utility>
#include <vector>

#include "framework/pipeline/score_sessions.h"
#include "framework/pipeline/score_weights.h"

namespace weft {
namespace {

// Work for several threads at a time.
constexpr std::size_t kTokensAtOnce = std::size_t{1} << 15;

using Sessions = std::vector<std::pair<std::string, ScoreSessionPtr>>;  // by component

void start_components(const Language& nlp, Sessions& sessions) {
  for (const auto& [name, component, enabled, sourced] : nlp.pipeline()) {
    if (enabled) sessions.emplace_back(name, component->start_scores());
  }
}

// Scores of one name are those of the last component that gives them.
Scores merged(const Sessions& sessions) {
  Scores scores;
  for (const auto& [component, session] : sessions) {
    for (const auto& [name, score] : session->finish()) scores.set(name, score);
  }
  return scores;
}

}  // namespace

Evaluation::Evaluation(const Language& nlp, WorkerPool& pool)
    : nlp_(nlp),
      pool_(pool),
      annotate_([this](std::span<Doc* const> docs) { return nlp_.annotate_some(docs, pool_); }),
      tokens_at_once_(kTokensAtOnce),
      groups_({}, nlp.predicted_values()) {
  sessions_.emplace_back("tokenizer", start_session(nlp.settings().tokenizer.scorer));
  start_components(nlp, sessions_);
}

Evaluation::~Evaluation() = default;

void Evaluation::annotate_by(Annotate annotate, std::size_t tokens_at_once) {
  annotate_ = std::move(annotate);
  tokens_at_once_ = tokens_at_once;
}

// Annotates at the end of a group alone. Groups follow from the lengths of the documents, so that
// each document is predicted beside the same others however the examples arrive, and no score
// depends on how much is held in memory.
void Evaluation::add(Example example) {
  const auto tokens = static_cast<std::size_t>(example.size());
  waiting_.push_back(std::move(example));
  waiting_tokens_ += prediction_weight(tokens, nlp_.predicted_values());
  const bool group_ends = groups_.add(tokens);
  if (group_ends && waiting_tokens_ >= tokens_at_once_) flush();
}

// The clock runs for the prediction alone, not for reading and scoring. Components may merge or
// split tokens; examples are aligned anew where that happened.
std::size_t Evaluation::annotate_some(std::span<Example> examples) {
  std::vector<Doc*> docs;
  std::vector<int> words;
  for (Example& example : examples) {
    docs.push_back(&example.predicted());
    words.push_back(example.size());
  }
  const auto start = std::chrono::steady_clock::now();
  examples = examples.first(annotate_(docs));
  seconds_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  for (std::size_t i = 0; i < examples.size(); ++i) {
    words_ += words[i];
    examples[i].align_again();
  }
  for (const auto& [name, session] : sessions_) session->add(examples);
  if (watch_) watch_(examples);
  annotated_ += static_cast<std::int64_t>(examples.size());
  return examples.size();
}

void Evaluation::annotate(std::span<Example> examples) {
  while (!examples.empty()) examples = examples.subspan(annotate_some(examples));
}

// Those that were scored are given back before others are annotated, which may have many spans.
void Evaluation::flush() {
  while (!waiting_.empty()) {
    const auto count = static_cast<std::ptrdiff_t>(annotate_some(waiting_));
    waiting_.erase(waiting_.begin(), waiting_.begin() + count);
  }
  waiting_tokens_ = 0;
}

void Evaluation::read(ExampleStream& examples, const std::function<void(std::int64_t)>& annotated) {
  while (const ExamplePtr example = examples.next()) {
    // Somebody else may hold it.
    add(example.use_count() == 1 ? std::move(*example) : *example);
    if (annotated) annotated(annotated_);
  }
  flush();
}

Scores Evaluation::of(ExampleStream& examples, const std::function<void(std::int64_t)>& annotated) {
  read(examples, annotated);
  return finish();
}

Scores Evaluation::finish() {
  flush();
  Scores scores = merged(sessions_);
  scores.set(kSpeedScore, speed());
  return scores;
}

Scores Evaluation::finish_by_component() {
  flush();
  Scores scores;
  for (const auto& [component, session] : sessions_) {
    scores.set(component, session->finish());
  }
  scores.set(kSpeedScore, speed());
  return scores;
}

Scores component_scores(const Language& nlp, std::span<const Example> annotated) {
  Sessions sessions;
  start_components(nlp, sessions);
  for (const auto& [name, session] : sessions) session->add(annotated);
  return merged(sessions);
}

Scores Language::evaluate(std::span<Example> examples, WorkerPool& pool) const {
  Evaluation evaluation(*this, pool);
  evaluation.annotate(examples);
  return evaluation.finish();
}

Scores Language::evaluate(ExampleStream& examples, WorkerPool& pool) const {
  return Evaluation(*this, pool).of(examples);
}

}  // namespace weft
