// Writes a parsed pattern in PCRE2's syntax, so that PCRE2 10.42 with UTF and UCP matches what
// Python 3.11's `re` matches.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "framework/regex/syntax.h"
#include "registry/base/export.h"

namespace weft {

// Differences bridged here: white space, \w and \b are written out as sets (they differ between the
// two, and between versions of PCRE2), case pairs that Python folds and PCRE2 does not are added
// under (?i), and a line may start behind the last line break. The result needs PCRE2_UTF |
// PCRE2_UCP, line feed as the only line break, and no other option. Nothing where it is so long
// that PCRE2 would refuse it as too large.
WEFT_API std::optional<std::string> to_pcre2(std::span<const RegexNode> alternatives);

// Whether a group or a repetition gives back nothing of what it matched: (?>…), *+.
bool has_atomic(std::span<const RegexNode> nodes);

}  // namespace weft
