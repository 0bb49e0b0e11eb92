#include "components/scorers/sentence_scores.h"

#include <memory>
#include <set>
#include <utility>
#include <vector>

#include "framework/pipeline/prf.h"
#include "framework/text/example.h"

namespace weft {

namespace {

// The document's sentences as spans without a label, for the alignment with the tokens of the
// reference.
std::vector<Span> sentences_of(const Doc& doc) {
  std::vector<Span> spans;
  for (const auto& [start, end] : doc.sents()) spans.push_back({start, end});
  return spans;
}

// A sentence is right only with both ends. A predicted one whose text does not begin and end with
// reference tokens has no counterpart, and the reference's sentence there counts as missed. Where
// the prediction has no sentences at all, those of the reference are all missed.
void count(const Example& example, Prf& prf) {
  if (!example.reference().has_sents()) return;
  std::set<std::pair<int, int>> gold, found;
  for (const auto& sentence : example.reference().sents()) gold.insert(sentence);
  if (example.predicted().has_sents()) {
    for (const Span& span : example.spans_to_reference(sentences_of(example.predicted()), false)) {
      found.emplace(span.start, span.end);
    }
  }
  Prf counts;
  for (const auto& sentence : found) {
    ++(gold.contains(sentence) ? counts.true_positives : counts.false_positives);
  }
  counts.false_negatives = static_cast<std::int64_t>(gold.size()) - counts.true_positives;
  prf += counts;
}

class SentenceScoreSession : public ScoreSession {
 public:
  void add(std::span<const Example> examples) override {
    for (const Example& example : examples) count(example, prf_);
  }
  Scores finish() override {
    const auto value = [&](double score) { return prf_.empty() ? Node() : Node(score); };
    Scores scores;
    scores.set("sents_p", value(prf_.precision()));
    scores.set("sents_r", value(prf_.recall()));
    scores.set("sents_f", value(prf_.f_score()));
    return scores;
  }

 private:
  Prf prf_;
};

}  // namespace

ScoreSessionPtr sentence_score_session() {
  return std::make_unique<SentenceScoreSession>();
}

}  // namespace weft
