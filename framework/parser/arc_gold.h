// The gold side of one training example for the dependency parser, and where its parses start
// (docs/parsing.md; spaCy 3.8).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "framework/ops/arc_system.h"
#include "framework/parser/arc_table.h"
#include "framework/parser/oracle.h"
#include "framework/text/example.h"
#include "framework/text/projective.h"
#include "registry/base/export.h"

namespace weft {

// The reference's parse on the predicted tokens, without crossing arcs. A head is known where the
// token is aligned with one token alone, and the head of that one as well.
struct AlignedParse {
  std::vector<std::int32_t> heads;  // -1: not known
  // Of the one reference token that a token is aligned with, its head known or not.
  std::vector<std::optional<std::string>> labels;
  std::vector<std::int8_t> starts;  // of a sentence: 1 yes, 0 no, -1 unknown
};
WEFT_API AlignedParse aligned_parse(const Example& example);

// The same as costs are computed from it, with the labels of `table` alone: "dep" or "ROOT" for
// others.
WEFT_API transition::ArcGold arc_gold(const Example& example, const AlignedParse& parse,
                                      const ArcTable& table);

// The reference's parse without crossing arcs. Throws Error(data) as `projectivized` does, with the
// place of the example.
WEFT_API DependencyTree learnt_tree(const Example& example);

// True if some token of the reference has a dependency label.
WEFT_API bool has_dependency_gold(const Example& example);

using ArcOracle = Oracle<transition::ArcSystem>;

// Where to start when pieces are about `max_moves` moves long (0: never cut): the document as it is
// if it has fewer tokens than that, else the pieces of it that carry annotation.
WEFT_API std::vector<transition::ArcState> arc_training_states(const Example& example,
                                                               const transition::ArcState& start,
                                                               const ArcOracle& oracle,
                                                               int max_moves);

}  // namespace weft
