// Heads of a document in both directions, and the relations between tokens that tree patterns name.
// Source: spaCy 3.8, https://spacy.io/api/dependencymatcher#operators.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "framework/text/doc.h"
#include "registry/base/export.h"

namespace weft {

// The trees of a document without heads are its tokens.
class WEFT_API HeadTrees {
 public:
  // Throws Error(data) where heads go in a circle.
  explicit HeadTrees(const Doc& doc);

  int head(int token) const { return heads_[static_cast<std::size_t>(token)]; }
  bool is_root(int token) const { return head(token) == token; }
  int root(int token) const { return roots_[static_cast<std::size_t>(token)]; }
  // One of the token's heads upwards is `ancestor`, which is not the token itself.
  bool is_below(int token, int ancestor) const;
  // Both lie between the first and the last token of the tree that `token` is in.
  bool in_sentence(int token, int other) const;

 private:
  std::vector<int> heads_, roots_;
  std::vector<int> first_, last_;   // of a root's tree
  std::vector<int> enter_, leave_;  // times of a walk through the trees
};

enum class TreeRelation {
  head_of,           // <   B is the head of A
  child_of,          // >
  ancestor_of,       // <<
  descendant_of,     // >>
  next,              // .
  later,             // .*
  previous,          // ;
  earlier,           // ;*
  next_sibling,      // $+
  previous_sibling,  // $-
  later_sibling,     // $++
  earlier_sibling,   // $--
  next_child,        // >+
  previous_child,    // >-
  later_child,       // >++
  earlier_child,     // >--
  next_head,         // <+
  previous_head,     // <-
  later_head,        // <++
  earlier_head,      // <--
};

WEFT_API std::optional<TreeRelation> parse_relation(std::string_view op);
WEFT_API bool related(const HeadTrees& trees, TreeRelation relation, int a, int b);

}  // namespace weft
