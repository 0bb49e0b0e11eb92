#include "framework/pipeline/tokenization_scores.h"

#include <algorithm>
#include <iterator>
#include <utility>
#include <vector>

#include "framework/pipeline/prf.h"

namespace weft {

namespace {

using CharSpans = std::vector<std::pair<std::size_t, std::size_t>>;  // ascending

// The stretches of characters that tokens cover, ascending, so that one pass over both sides finds
// the ones in common.
CharSpans spans_of(const Doc& doc) {
  CharSpans spans;
  for (int i = 0; i < doc.size(); ++i) {
    if (doc.is_space(i)) continue;
    const auto token = static_cast<std::size_t>(i);
    spans.emplace_back(doc.tokens()->char_start(token), doc.tokens()->char_end(token));
  }
  return spans;
}

// Two views of one document: whether each predicted token stands for just one of the reference, and
// which tokens cover exactly the same characters.
void count(const Example& example, Prf& aligned, Prf& covered) {
  const Doc& predicted = example.predicted();
  for (int i = 0; i < predicted.size(); ++i) {
    if (predicted.is_space(i)) continue;
    const bool one = example.alignment().to_reference(i).size() == 1;
    ++(one ? aligned.true_positives : aligned.false_positives);
  }
  const CharSpans ours = spans_of(predicted), theirs = spans_of(example.reference());
  CharSpans common;
  std::set_intersection(ours.begin(), ours.end(), theirs.begin(), theirs.end(),
                        std::back_inserter(common));
  covered += {static_cast<std::int64_t>(common.size()),
              static_cast<std::int64_t>(ours.size() - common.size()),
              static_cast<std::int64_t>(theirs.size() - common.size())};
}

class TokenScoreSession : public ScoreSession {
 public:
  void add(std::span<const Example> examples) override {
    for (const Example& example : examples) {
      if (!example.reference().has_unknown_spaces()) count(example, aligned_, covered_);
    }
  }
  Scores finish() override {
    const auto value = [&](double score) { return aligned_.empty() ? Node() : Node(score); };
    Scores scores;
    scores.set("token_acc", value(aligned_.precision()));
    scores.set("token_p", value(covered_.precision()));
    scores.set("token_r", value(covered_.recall()));
    scores.set("token_f", value(covered_.f_score()));
    return scores;
  }

 private:
  Prf aligned_, covered_;
};

}  // namespace

Scores score_tokenization(std::span<const Example> examples) {
  TokenScoreSession session;
  session.add(examples);
  return session.finish();
}

ScoreSessionPtr tokenization_score_session() {
  return std::make_unique<TokenScoreSession>();
}

Scorer tokenization_scorer() {
  return {score_tokenization, tokenization_score_session};
}

}  // namespace weft
