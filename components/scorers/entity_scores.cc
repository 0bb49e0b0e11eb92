#include "components/scorers/entity_scores.h"

#include <map>
#include <string>

#include "framework/pipeline/prf_row.h"
#include "framework/text/judged_entities.h"

namespace weft {

namespace {

using PrfByType = std::map<std::string, Prf>;

// A label has its row from the first prediction on, even if that one cannot be judged: the table of
// types then lists every label that was seen on either side.
void count(const Example& example, PrfByType& by_type) {
  const Doc& predicted = example.predicted();
  const JudgedEntities judged = judged_entities(example);
  for (const JudgedEntity& one : judged.predicted) {
    Prf& prf = by_type[std::string(predicted.string(one.entity.label))];
    if (one.judgement == Judgement::unknown) continue;
    ++(one.judgement == Judgement::right ? prf.true_positives : prf.false_positives);
  }
  for (const std::string& label : judged.missed) ++by_type[label].false_negatives;
}

// The micro average: counts of all types are summed before the ratios are taken, so that frequent
// types weigh more.
Scores scores_of(const PrfByType& by_type) {
  Prf total;
  Object per_type;
  for (const auto& [label, prf] : by_type) {
    total += prf;
    per_type.set(label, row_of(prf));
  }
  Scores scores;
  scores.set("ents_p", total.empty() ? Node() : Node(total.precision()));
  scores.set("ents_r", total.empty() ? Node() : Node(total.recall()));
  scores.set("ents_f", total.empty() ? Node() : Node(total.f_score()));
  scores.set("ents_per_type", total.empty() ? Node() : Node(std::move(per_type)));
  return scores;
}

class EntityScoreSession : public ScoreSession {
 public:
  void add(std::span<const Example> examples) override {
    for (const Example& example : examples) {
      if (example.reference().has_ents()) count(example, by_type_);
    }
  }
  Scores finish() override { return scores_of(by_type_); }

 private:
  PrfByType by_type_;
};

}  // namespace

Scores score_entities(std::span<const Example> examples) {
  EntityScoreSession session;
  session.add(examples);
  return session.finish();
}

ScoreSessionPtr entity_score_session() {
  return std::make_unique<EntityScoreSession>();
}

}  // namespace weft
