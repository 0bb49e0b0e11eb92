// French, Italian, Portuguese and Spanish, by the labels of Universal Dependencies. They differ in
// the labels alone.
#include <algorithm>

#include "framework/text/noun_chunk_rules.h"

namespace weft {
namespace {

struct Labels {
  NameSet phrases;      // of nouns that begin one
  NameSet parts;        // of a name or a compound, which takes all behind the noun
  NameSet determiners;  // behind a noun they end the phrase; empty: they do not belong to it
};

// The first child behind the noun decides how far the phrase goes.
int last_token(const ChunkTree& tree, const Labels& labels, int noun) {
  static const StringId adjective = string_id("amod"), determiner = string_id("DET");
  const int child = tree.first_right(noun);
  if (child < 0) return noun;
  if (tree.label(child) == adjective) return tree.right_edge(child);
  if (labels.determiners.contains(tree.label(child)) && tree.pos(child) == determiner) return child;
  return labels.parts.contains(tree.label(child)) ? tree.right_edge(noun) : noun;
}

// The left edge, without a word of that tag at its place.
int first_token(const ChunkTree& tree, int noun, StringId without) {
  const int edge = tree.left_edge(noun);
  return tree.pos(edge) == without ? edge + 1 : edge;
}

std::vector<Span> chunks_by(const Labels& labels, const ChunkTree& tree) {
  const StringId conj = string_id("conj");
  const StringId preposition = string_id("ADP"), conjunction = string_id("CCONJ");
  std::vector<Span> chunks;
  int last = -1;  // token of the chunk before
  for (int i = 0; i < tree.size(); ++i) {
    if (!is_nominal(tree, i) || tree.left_edge(i) <= last) continue;
    if (labels.phrases.contains(tree.label(i))) {
      last = last_token(tree, labels, i);
      chunks.push_back({first_token(tree, i, preposition), last + 1, string_id("NP")});
    } else if (tree.label(i) == conj && labels.phrases.contains(tree.label(tree.joined_to(i)))) {
      last = i;
      chunks.push_back({first_token(tree, i, conjunction), last + 1, string_id("NP")});
    }
  }
  return chunks;
}

}  // namespace

std::vector<Span> french_chunks(const ChunkTree& tree) {
  static const Labels& labels =
      *new Labels{{"nsubj", "nsubj:pass", "obj", "obl", "obl:agent", "obl:arg", "obl:mod", "nmod",
                   "pcomp", "appos", "ROOT"},
                  {"flat", "flat:name", "flat:foreign", "fixed", "compound"},
                  {"det"}};
  return chunks_by(labels, tree);
}

std::vector<Span> italian_chunks(const ChunkTree& tree) {
  static const Labels& labels = *new Labels{
      {"nsubj", "nsubj:pass", "obj", "obl", "obl:agent", "nmod", "pcomp", "appos", "ROOT"},
      {"flat", "flat:name", "fixed", "compound"},
      {"det", "det:poss"}};
  return chunks_by(labels, tree);
}

std::vector<Span> portuguese_chunks(const ChunkTree& tree) {
  static const Labels& labels = *new Labels{
      {"nsubj", "nsubj:pass", "obj", "obl", "obl:agent", "nmod", "pcomp", "appos", "ROOT"},
      {"flat", "flat:name", "fixed", "compound"},
      {"det"}};
  return chunks_by(labels, tree);
}

std::vector<Span> spanish_chunks(const ChunkTree& tree) {
  static const Labels& labels =
      *new Labels{{"nsubj", "nsubj:pass", "obj", "obl", "nmod", "pcomp", "appos", "ROOT"},
                  {"flat", "fixed", "compound"},
                  {}};
  return chunks_by(labels, tree);
}

}  // namespace weft
