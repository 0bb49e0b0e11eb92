#include "components/scorers/score_parts.h"

#include <memory>
#include <utility>

namespace weft {

namespace {

// Every part sees all examples once. Names that two parts give are set in the order of the parts,
// so that the last one stays.
class PartsSession : public ScoreSession {
 public:
  explicit PartsSession(const std::vector<std::function<ScoreSessionPtr()>>& parts) {
    for (const auto& start : parts) sessions_.push_back(start());
  }
  void add(std::span<const Example> examples) override {
    for (const ScoreSessionPtr& session : sessions_) session->add(examples);
  }
  Scores finish() override {
    Scores scores;
    for (const ScoreSessionPtr& session : sessions_) {
      for (const auto& [name, score] : session->finish()) scores.set(name, score);
    }
    return scores;
  }

 private:
  std::vector<ScoreSessionPtr> sessions_;
};

}  // namespace

Scorer scorer_of(std::vector<std::function<ScoreSessionPtr()>> parts) {
  const auto start = [parts = std::move(parts)]() -> ScoreSessionPtr {
    return std::make_unique<PartsSession>(parts);
  };
  const auto score = [start](std::span<const Example> examples) {
    const ScoreSessionPtr session = start();
    session->add(examples);
    return session->finish();
  };
  return {score, start};
}

}  // namespace weft
