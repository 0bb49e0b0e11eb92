// Properties of a dependency tree, computed from its heads.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "framework/text/symbols.h"
#include "registry/base/export.h"

namespace weft {

// The first and the last token of the subtree of each token.
struct SubtreeEdges {
  std::vector<int> left, right;
};

// As spaCy 3.8 computes them: exact for projective trees, and for others unless arcs cross in many
// ways. `heads` are relative and stay inside.
WEFT_API SubtreeEdges subtree_edges(std::span<const std::int32_t> heads);

// Sentence starts (1 or -1 per token) as spaCy 3.8 derives them: a sentence begins at the left edge
// of every token that is its own head and has a dependency label. `heads` are relative and stay
// inside; `deps` has one id per token.
WEFT_API std::vector<std::int8_t> sent_starts_of_heads(std::span<const std::int32_t> heads,
                                                       std::span<const StringId> deps);

// The tree of tokens [start, end) by themselves.
struct PartOfTree {
  std::vector<std::int32_t> heads;  // relative, all inside
  std::vector<int> cut;             // tokens of the part whose heads lie outside of it
};

// As spaCy 3.8 makes it for a span: a token whose head lies outside hangs at the highest of its
// ancestors that lie inside, or else at an earlier token that lost the same root; or it becomes a
// root itself. So does one without a label, which has no head: its arc does not count as cut.
// `deps` has one id per token of the whole, or none.
WEFT_API PartOfTree part_of_tree(std::span<const std::int32_t> heads,
                                 std::span<const StringId> deps, int start, int end);

}  // namespace weft
