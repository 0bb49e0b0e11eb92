// The span groups of a document that is cut into many pieces.
#pragma once

#include <span>
#include <utility>
#include <vector>

#include "framework/text/span.h"
#include "registry/base/export.h"

namespace weft {

// For each of `pieces` (tokens [start, end), ascending, none overlaps another) the groups that have
// spans inside, with these spans counted from the piece's start and without attributes. Takes time
// for every span once, where Doc::slice takes it for every piece.
WEFT_API std::vector<SpanGroups> cut_span_groups(const SpanGroups& groups,
                                                 std::span<const std::pair<int, int>> pieces);

}  // namespace weft
