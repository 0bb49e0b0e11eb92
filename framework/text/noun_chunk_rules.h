// The rules of noun phrases by language. All see a document through its tree; each takes time by
// the length of the document, whatever its heads.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string_view>
#include <vector>

#include "framework/text/doc.h"
#include "framework/text/parse_tree.h"

namespace weft {

// A set of labels or tags.
class NameSet {
 public:
  NameSet(std::initializer_list<std::string_view> names);
  bool contains(StringId id) const;

 private:
  std::vector<StringId> ids_;
};

// A document with labels; without heads all tokens are roots.
class ChunkTree {
 public:
  explicit ChunkTree(const Doc& doc);

  int size() const { return doc_.size(); }
  StringId pos(int i) const { return doc_.value(Attr::pos, i); }
  StringId label(int i) const { return doc_.value(Attr::dep, i); }
  int head(int i) const { return i + heads_[static_cast<std::size_t>(i)]; }
  int left_edge(int i) const { return edges_.left[static_cast<std::size_t>(i)]; }
  int right_edge(int i) const { return edges_.right[static_cast<std::size_t>(i)]; }
  // The first child to the right of a token, the next one behind a child; -1: none.
  int first_right(int i) const { return first_right_[static_cast<std::size_t>(i)]; }
  int next_right(int i) const { return next_right_[static_cast<std::size_t>(i)]; }
  // Of a conjunct, the token that the first of its conjuncts' heads on the left is joined to; the
  // head of the token if that is no conjunct itself.
  int joined_to(int i) const { return first_conjunct_[static_cast<std::size_t>(head(i))]; }

 private:
  const Doc& doc_;
  std::vector<std::int32_t> heads_;  // relative
  SubtreeEdges edges_;
  std::vector<int> first_right_, next_right_;
  std::vector<int> first_conjunct_;  // of each token; itself where it is none
};

// Whether the token is a noun, a name or a pronoun.
bool is_nominal(const ChunkTree& tree, int i);

std::vector<Span> english_chunks(const ChunkTree& tree);
std::vector<Span> german_chunks(const ChunkTree& tree);
std::vector<Span> dutch_chunks(const ChunkTree& tree);
std::vector<Span> french_chunks(const ChunkTree& tree);
std::vector<Span> italian_chunks(const ChunkTree& tree);
std::vector<Span> portuguese_chunks(const ChunkTree& tree);
std::vector<Span> spanish_chunks(const ChunkTree& tree);

}  // namespace weft
