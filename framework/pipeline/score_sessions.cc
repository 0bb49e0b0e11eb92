#include "framework/pipeline/score_sessions.h"

#include <string>
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

ScoreSessionPtr start_session(const Scorer& scorer, const Component& component, Object cfg) {
  if (!scorer.score_with) return start_session(scorer);
  if (!cfg.contains("labels")) {
    List labels;
    for (std::string& label : component.labels()) labels.emplace_back(std::move(label));
    cfg.set("labels", std::move(labels));
  }
  return score_all_at_end([score = scorer.score_with, cfg = std::move(cfg)](
                              std::span<const Example> examples) { return score(examples, cfg); });
}

}  // namespace weft
