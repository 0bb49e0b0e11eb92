// From an object of predicates, {"IN": ["a", "b"], "REGEX": "^x"}, to predicates.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "framework/matching/token_test.h"
#include "registry/base/export.h"
#include "registry/value/config.h"

namespace weft {

// Puts them into `table` and gives their numbers. An unknown one is left out with a warning. Throws
// Error(data), which begins with `place`, for a value of the wrong type, an expression or features
// that do not parse.
WEFT_API std::vector<std::uint32_t> read_predicates(Attr attr, const Object& predicates,
                                                    const std::string& place, TestTable& table,
                                                    std::vector<std::string>& warnings);

// 0 to 3 of "", "I", "O", "B"; nothing for another text.
WEFT_API std::optional<StringId> iob_number(std::string_view mark);

// An integer from 0 to 2^64 - 1, the ids of texts among them; nothing for other values.
WEFT_API std::optional<StringId> id_of(const Node& value);

}  // namespace weft
