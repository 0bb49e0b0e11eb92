#include "components/scorers/attribute_scores.h"

#include <memory>
#include <set>
#include <utility>

#include "framework/pipeline/prf.h"

namespace weft {

namespace {

// Adds the counts of one document. A wrong value is a false positive and leaves its reference token
// among the missed ones too, so that with equal tokenizations precision, recall and F are all the
// share of right tokens. The set keeps a pair once where several predicted tokens stand for one
// reference token.
void count(const Example& example, Attr attr, Prf& prf) {
  const Doc& reference = example.reference();
  const Doc& predicted = example.predicted();
  std::int64_t gold = 0;
  for (int i = 0; i < reference.size(); ++i) gold += reference.value(attr, i) != 0 ? 1 : 0;
  std::set<std::pair<int, StringId>> found;
  for (int i = 0; i < predicted.size(); ++i) {
    const auto token = compared_token(example, i);
    if (token && reference.value(attr, *token) != 0)
      found.emplace(*token, predicted.value(attr, i));
  }
  Prf counts;
  for (const auto& [token, value] : found) {
    const bool right = reference.value(attr, token) == value;
    ++(right ? counts.true_positives : counts.false_positives);
  }
  counts.false_negatives = gold - counts.true_positives;
  prf += counts;
}

class AttributeScoreSession : public ScoreSession {
 public:
  AttributeScoreSession(Attr attr, std::string name) : attr_(attr), name_(std::move(name)) {}
  void add(std::span<const Example> examples) override {
    for (const Example& example : examples) count(example, attr_, prf_);
  }
  Scores finish() override {
    Scores scores;
    scores.set(name_, prf_.empty() ? Node() : Node(prf_.f_score()));
    return scores;
  }

 private:
  Attr attr_;
  std::string name_;
  Prf prf_;
};

}  // namespace

// A predicted token that covers several reference tokens, or none, has no single right value and is
// left out; the reference tokens behind it then count as missed.
std::optional<int> compared_token(const Example& example, int predicted) {
  if (example.predicted().is_space(predicted)) return std::nullopt;
  const auto tokens = example.alignment().to_reference(predicted);
  return tokens.size() == 1 ? std::optional(tokens[0]) : std::nullopt;
}

ScoreSessionPtr attribute_score_session(Attr attr, std::string name) {
  return std::make_unique<AttributeScoreSession>(attr, std::move(name));
}

}  // namespace weft
