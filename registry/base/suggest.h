// "Did you mean ...?": the nearest of a list of names.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "registry/base/export.h"

namespace weft {

// Up to `most` of `known` that are close enough to `word` to be worth offering, nearest first (edit
// distance with transpositions, and common parts); ties in the order given.
WEFT_API std::vector<std::string> nearest(std::string_view word,
                                          const std::vector<std::string>& known,
                                          std::size_t most = 2);

// "a", "a or b", "a, b or c"; "" for none.
WEFT_API std::string join_or(const std::vector<std::string>& words);

// join_or of nearest; "" without a look where `known` is so long that the search would take time.
WEFT_API std::string suggestion(std::string_view word, const std::vector<std::string>& known);

}  // namespace weft
