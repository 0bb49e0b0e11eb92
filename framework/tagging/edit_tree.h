// A node of an edit tree: how a form becomes a lemma.
// Source: Chrupała (2008), Towards a Machine-Learning Architecture for Lexical Functional Grammar
// Parsing, 6.2; Müller, Cotterell, Fraser and Schütze (2015); docs/tagging.md, "Edit trees".
#pragma once

#include <compare>
#include <cstdint>
#include <string>

#include "registry/base/export.h"

namespace weft {

using TreeNumber = std::uint32_t;
inline constexpr TreeNumber kNoTree = 0xFFFFFFFF;

// A match keeps the middle of a form and applies sub-trees to what lies before and behind it. A
// substitution replaces a whole text by another. Lengths count code points.
struct EditTree {
  bool is_match = true;
  std::uint32_t prefix_length = 0;  // of a match
  std::uint32_t suffix_length = 0;
  TreeNumber prefix_tree = kNoTree;  // without one, the prefix is dropped
  TreeNumber suffix_tree = kNoTree;
  std::u32string original = {};  // of a substitution
  std::u32string substitute = {};

  auto operator<=>(const EditTree&) const = default;
};

}  // namespace weft
