// Dependency trees whose arcs do not cross, which is all that an arc-eager parser can build: arcs
// that cross are lifted to an ancestor, and labels remember from where (docs/parsing.md; Nivre and
// Nilsson 2005, "Pseudo-projective dependency parsing", the scheme "head"; spaCy 3.8, nonproj).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "framework/text/doc.h"
#include "registry/base/export.h"

namespace weft {

// A parse with heads as token numbers; a root is its own head.
struct DependencyTree {
  std::vector<std::int32_t> heads;
  std::vector<std::string> labels;  // empty: no annotation
};

// The parse of a document; tokens without one are roots without a label.
WEFT_API DependencyTree dependency_tree(const Doc& doc);

// The same of a document that is learnt from: heads of tokens without a label say nothing, such
// tokens are roots (spaCy 3.8, Token.head).
WEFT_API DependencyTree labelled_tree(const Doc& doc);

// Whether some arc is crossed by another one. Throws Error(data) where heads form a cycle.
WEFT_API bool has_crossing_arcs(const std::vector<std::int32_t>& heads);

// Between the parts of the label of a token that was lifted.
inline constexpr std::string_view kLiftedMark = "||";

// Lifts arcs, the shortest first, until none is crossed. A token that was lifted has the label
// "OWN||HEAD", HEAD being the label of its first head. Throws Error(data) where heads form a cycle,
// and where so many arcs cross that lifting them would take minutes.
WEFT_API DependencyTree projectivized(const DependencyTree& tree);

// The other way round: tokens with such a label move below the nearest descendant of their head
// that has the label HEAD, and keep the label OWN. White space (`is_space`, by token) is never a
// head. Throws Error(data) for a label with more than one "||".
WEFT_API DependencyTree deprojectivized(const DependencyTree& tree,
                                        const std::vector<bool>& is_space);

// Sets heads, labels and the sentences that follow from them; see `deprojectivized`.
WEFT_API void set_parse(Doc& doc, const DependencyTree& tree);

}  // namespace weft
