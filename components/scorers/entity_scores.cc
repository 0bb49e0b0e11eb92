#include "components/scorers/entity_scores.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "framework/pipeline/prf.h"

namespace weft {

namespace {

using Entity = std::tuple<std::string, int, int>;  // label, reference tokens [start, end)
using PrfByType = std::map<std::string, Prf>;

// Reference tokens that a predicted entity covers, as [first, last]; nothing when none is aligned.
std::optional<std::pair<int, int>> reference_tokens(const Example& example, const Span& ent) {
  std::optional<std::pair<int, int>> range;
  for (int i = ent.start; i < ent.end; ++i) {
    for (const int token : example.alignment().to_reference(i)) {
      if (!range) range = {token, token};
      range->second = token;
    }
  }
  return range;
}

bool is_annotated(const Doc& reference, int first, int last) {
  for (int i = first; i <= last; ++i) {
    if (reference.ent_iob(i) == Iob::missing) return false;
  }
  return true;
}

void count(const Example& example, PrfByType& by_type) {
  const Doc& reference = example.reference();
  std::set<Entity> gold;
  for (const Span& ent : reference.ents()) {
    gold.emplace(reference.string(ent.label), ent.start, ent.end);
  }
  const Doc& predicted = example.predicted();
  for (const Span& ent : predicted.ents()) {
    const std::string label(predicted.string(ent.label));
    Prf& prf = by_type[label];
    const auto tokens = reference_tokens(example, ent);
    if (!tokens || !is_annotated(reference, tokens->first, tokens->second)) continue;
    const bool right = gold.erase({label, tokens->first, tokens->second + 1}) > 0;
    ++(right ? prf.true_positives : prf.false_positives);
  }
  for (const auto& [label, start, end] : gold) ++by_type[label].false_negatives;
}

Scores scores_of(const PrfByType& by_type) {
  Prf total;
  Object per_type;
  for (const auto& [label, prf] : by_type) {
    total += prf;
    Object row;
    row.set("p", prf.precision());
    row.set("r", prf.recall());
    row.set("f", prf.f_score());
    per_type.set(label, std::move(row));
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
