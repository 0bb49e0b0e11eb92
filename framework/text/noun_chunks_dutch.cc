// Dutch, by the labels of Universal Dependencies.
#include <algorithm>
#include <limits>

#include "framework/text/noun_chunk_rules.h"

namespace weft {
namespace {

// Of a token: its children that belong to a phrase, and whether one is its subject.
struct Children {
  int first = std::numeric_limits<int>::max(), last = -1;
  bool has_subject = false;
};

std::vector<Children> children_of(const ChunkTree& tree) {
  static const NameSet& labels = *new NameSet{"amod", "nmod:poss", "det", "det:poss"};
  const StringId subject = string_id("nsubj");
  std::vector<Children> all(static_cast<std::size_t>(tree.size()));
  for (int i = 0; i < tree.size(); ++i) {
    if (tree.head(i) == i) continue;
    Children& of = all[static_cast<std::size_t>(tree.head(i))];
    of.has_subject = of.has_subject || tree.label(i) == subject;
    if (!labels.contains(tree.label(i))) continue;
    of.first = std::min(of.first, i);
    of.last = std::max(of.last, i);
  }
  return all;
}

}  // namespace

// A noun with its determiners and adjectives, or a pronoun that is a subject. A noun with a subject
// is a verb with a wrong tag.
std::vector<Span> dutch_chunks(const ChunkTree& tree) {
  static const NameSet& subjects = *new NameSet{"nsubj", "nsubj:pass"};
  const StringId noun = string_id("NOUN"), pronoun = string_id("PRON");
  const std::vector<Children> children = children_of(tree);
  std::vector<Span> chunks;
  int last_end = -1;
  for (int i = 0; i < tree.size(); ++i) {
    const Children& of = children[static_cast<std::size_t>(i)];
    const bool is_noun = tree.pos(i) == noun && !of.has_subject;
    const bool is_subject = tree.pos(i) == pronoun && subjects.contains(tree.label(i));
    if (!is_noun && !is_subject) continue;
    const int start = is_noun ? std::min(of.first, i) : i;
    const int end = is_noun ? std::max(of.last, i) + 1 : i + 1;
    if (start < last_end) continue;
    last_end = end;
    chunks.push_back({start, end, string_id("NP")});
  }
  return chunks;
}

}  // namespace weft
