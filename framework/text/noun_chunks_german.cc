// German, by the labels of TIGER.
#include "framework/text/noun_chunk_rules.h"

namespace weft {

// From the left edge of a noun to the noun, and on to the last noun that stands in close apposition
// to it: "eine Tasse Tee".
std::vector<Span> german_chunks(const ChunkTree& tree) {
  static const NameSet& labels =
      *new NameSet{"sb", "oa", "da", "nk", "mo", "ag", "ROOT", "root", "cj", "pd", "og", "app"};
  static const NameSet& nouns = *new NameSet{"NOUN", "PROPN"};
  const StringId close = string_id("nk");
  std::vector<Span> chunks;
  int end = 0;  // of the chunk before
  for (int i = 0; i < tree.size(); ++i) {
    if (i < end || tree.left_edge(i) < end) continue;
    if (!is_nominal(tree, i) || !labels.contains(tree.label(i))) continue;
    end = i + 1;
    for (int child = tree.first_right(i); child >= 0; child = tree.next_right(child)) {
      if (nouns.contains(tree.pos(child)) && tree.label(child) == close) end = child + 1;
    }
    chunks.push_back({tree.left_edge(i), end, string_id("NP")});
  }
  return chunks;
}

}  // namespace weft
