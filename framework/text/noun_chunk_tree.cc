// A parsed document as the rules of noun phrases see it.
#include <algorithm>

#include "framework/text/noun_chunk_rules.h"

namespace weft {

NameSet::NameSet(std::initializer_list<std::string_view> names) {
  for (const std::string_view name : names) ids_.push_back(string_id(name));
}

bool NameSet::contains(StringId id) const {
  return std::find(ids_.begin(), ids_.end(), id) != ids_.end();
}

ChunkTree::ChunkTree(const Doc& doc)
    : doc_(doc),
      heads_(doc.heads().begin(), doc.heads().end()),
      first_right_(static_cast<std::size_t>(doc.size()), -1),
      next_right_(first_right_),
      first_conjunct_(first_right_) {
  heads_.resize(first_right_.size(), 0);
  edges_ = subtree_edges(heads_);
  const StringId conj = string_id("conj");
  for (int i = doc.size() - 1; i >= 0; --i) {
    if (head(i) >= i) continue;
    int& first = first_right_[static_cast<std::size_t>(head(i))];
    next_right_[static_cast<std::size_t>(i)] = first;
    first = i;
  }
  for (int i = 0; i < doc.size(); ++i) {
    const auto place = static_cast<std::size_t>(i);
    const bool goes_on = label(i) == conj && head(i) < i;
    first_conjunct_[place] = goes_on ? first_conjunct_[static_cast<std::size_t>(head(i))] : i;
  }
}

bool is_nominal(const ChunkTree& tree, int i) {
  static const NameSet& tags = *new NameSet{"NOUN", "PROPN", "PRON"};
  return tags.contains(tree.pos(i));
}

}  // namespace weft
