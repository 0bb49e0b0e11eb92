// From the description of one token in a pattern, {"LOWER": "a", "OP": "?"}, to its test.
#pragma once

#include <string>
#include <vector>

#include "framework/matching/token_test.h"
#include "registry/base/export.h"
#include "registry/value/config.h"

namespace weft {

// `token` has been checked (pattern_schema.h) or not; predicates go into `table`, and `place` is
// how messages call the token. Conditions without meaning go into `warnings`. Throws
// Error(data) for an attribute that tokens have not, and for a value that nothing can be compared
// with.
WEFT_API TokenTest read_token(const Object& token, const std::string& place, TestTable& table,
                              std::vector<std::string>& warnings);

}  // namespace weft
