#include "framework/pipeline/score_sessions.h"

#include <utility>
#include <vector>

namespace weft {
namespace {

class AtEnd : public ScoreSession {
 public:
  explicit AtEnd(std::function<Scores(std::span<const Example>)> score)
      : score_(std::move(score)) {}
  void add(std::span<const Example> examples) override {
    examples_.insert(examples_.end(), examples.begin(), examples.end());
  }
  Scores finish() override { return score_(examples_); }

 private:
  std::function<Scores(std::span<const Example>)> score_;
  std::vector<Example> examples_;
};

class Nothing : public ScoreSession {
 public:
  void add(std::span<const Example>) override {}
  Scores finish() override { return {}; }
};

}  // namespace

ScoreSessionPtr score_all_at_end(std::function<Scores(std::span<const Example>)> score) {
  return std::make_unique<AtEnd>(std::move(score));
}

ScoreSessionPtr no_scores() {
  return std::make_unique<Nothing>();
}

ScoreSessionPtr start_session(const Scorer& scorer) {
  if (!scorer) return no_scores();
  return scorer.start ? scorer.start() : score_all_at_end(scorer.score);
}

}  // namespace weft
