#include "framework/parser/entity_classes.h"

#include <set>
#include <utility>

#include "framework/pipeline/label_limit.h"

namespace weft {

using transition::Action;

namespace {

// Each once, in the order of their first tokens.
std::vector<StringId> types_in(std::span<const Doc* const> docs) {
  std::vector<StringId> types;
  std::set<StringId> seen = {0};
  for (const Doc* doc : docs) {
    for (const StringId type : doc->column(Attr::ent_type)) {
      if (seen.insert(type).second) types.push_back(type);
    }
  }
  return types;
}

}  // namespace

EntityClasses::EntityClasses(std::span<const Action> actions, std::span<const std::uint8_t> unseen,
                             std::span<const Doc* const> docs)
    : own_(actions), own_unseen_(unseen) {
  const std::vector<StringId> types = types_in(docs);
  if (types.empty()) return;
  require_few_labels(types.size(), "entities of the documents");
  std::set<std::pair<Move, StringId>> known;
  for (const Action& action : actions) known.emplace(action.move, action.label);
  std::vector<Action> others;
  for (const StringId type : types) {
    for (const Move move : {Move::begin, Move::in, Move::last, Move::unit}) {
      if (!known.contains({move, type})) others.push_back({move, type});
    }
  }
  if (others.empty()) return;
  more_ = static_cast<int>(others.size());
  all_.assign(actions.begin(), actions.end());
  all_.insert(all_.end(), others.begin(), others.end());
  all_unseen_.assign(unseen.begin(), unseen.end());
  all_unseen_.resize(actions.size(), 0);
  all_unseen_.resize(all_.size(), 1);
}

}  // namespace weft
