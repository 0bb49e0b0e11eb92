// English, by the labels of ClearNLP.
#include "framework/text/noun_chunk_rules.h"

namespace weft {

// From the left edge of a noun to the noun; of a conjunct, the label of what it is joined to
// decides.
std::vector<Span> english_chunks(const ChunkTree& tree) {
  static const NameSet& labels = *new NameSet{"oprd", "nsubj",  "dobj",  "nsubjpass", "pcomp",
                                              "pobj", "dative", "appos", "attr",      "ROOT"};
  const StringId conj = string_id("conj");
  std::vector<Span> chunks;
  int last = -1;  // token of the chunk before
  for (int i = 0; i < tree.size(); ++i) {
    if (!is_nominal(tree, i) || tree.left_edge(i) <= last) continue;
    const bool is_joined = tree.label(i) == conj && labels.contains(tree.label(tree.joined_to(i)));
    if (!is_joined && !labels.contains(tree.label(i))) continue;
    last = i;
    chunks.push_back({tree.left_edge(i), i + 1, string_id("NP")});
  }
  return chunks;
}

}  // namespace weft
