#include "framework/parser/entity_classes.h"

#include <algorithm>
#include <initializer_list>

namespace weft {

using transition::Action;

EntityClasses::EntityClasses(std::span<const Action> actions, std::span<const std::uint8_t> unseen,
                             std::span<const Doc* const> docs)
    : own_(actions), own_unseen_(unseen) {
  std::vector<Action> others;
  const auto is_known = [&](const Action& action) {
    return std::find(actions.begin(), actions.end(), action) != actions.end() ||
           std::find(others.begin(), others.end(), action) != others.end();
  };
  for (const Doc* doc : docs) {
    StringId last = 0;
    for (const StringId type : doc->column(Attr::ent_type)) {
      if (type == last || type == 0) continue;
      last = type;
      for (const Move move : {Move::begin, Move::in, Move::last, Move::unit}) {
        if (!is_known({move, type})) others.push_back({move, type});
      }
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
