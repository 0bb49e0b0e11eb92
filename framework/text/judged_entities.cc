#include "framework/text/judged_entities.h"

#include <optional>
#include <set>
#include <tuple>
#include <utility>

namespace weft {

namespace {

using Entity = std::tuple<std::string, int, int>;  // label, reference tokens [start, end)

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

}  // namespace

JudgedEntities judged_entities(const Example& example) {
  const Doc& reference = example.reference();
  std::set<Entity> gold;
  for (const Span& ent : reference.ents()) {
    gold.emplace(reference.string(ent.label), ent.start, ent.end);
  }
  JudgedEntities result;
  const Doc& predicted = example.predicted();
  for (const Span& ent : predicted.ents()) {
    JudgedEntity& judged = result.predicted.emplace_back(JudgedEntity{ent});
    const auto tokens = reference_tokens(example, ent);
    if (!tokens || !is_annotated(reference, tokens->first, tokens->second)) continue;
    const Entity wanted(predicted.string(ent.label), tokens->first, tokens->second + 1);
    judged.judgement = gold.erase(wanted) > 0 ? Judgement::right : Judgement::wrong;
  }
  for (const auto& [label, start, end] : gold) result.missed.push_back(label);
  return result;
}

}  // namespace weft
