// Token patterns that can never match a text, for a reason that can be told by looking at them.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "framework/text/vocab.h"
#include "registry/base/export.h"
#include "registry/value/config.h"

namespace weft {

// The pipeline that a pattern is meant for.
struct PatternUse {
  const Vocab& vocab;
  std::function<int(std::string_view text)> tokens_in;  // how many tokens a text is cut into
};

// "token 2, LOWER: ...", about the first token of the pattern that no token can pass and that is
// not optional; nothing where it may match. `pattern` compiles.
WEFT_API std::optional<std::string> why_never(const List& pattern, const PatternUse& use);

}  // namespace weft
