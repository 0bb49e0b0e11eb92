// How texts are compared with those of FUZZY. Named by `@misc`; there is one way.
#pragma once

#include "framework/matching/edit_distance.h"
#include "registry/functions/type.h"

namespace weft {

struct FuzzyCompare {
  decltype(within_edits)* compare = within_edits;
};

template <>
struct ProductTraits<FuzzyCompare> {
  static constexpr std::string_view kind = "misc", name = "fuzzy comparison";
  static constexpr bool callable = true;
};

}  // namespace weft
