// Readers of the expressions in a language's rule file (docs/tokenizer.md, "Rule files"), whose
// names stand for other expressions. For rule_names.cc alone. Each throws Error(config) for a wrong
// expression, and where it takes more than the budget of the names or is nested too deeply; the
// caller adds the place.
#pragma once

#include <string>
#include <string_view>

#include "framework/text/rule_names.h"

namespace weft {

// Of `lower + digit - 'x'`.
RuleSet read_rule_set(const RuleNames& names, std::string_view expression);

// Of `"ab" <digit>+`, in the syntax of Python's `re`.
std::string read_rule_pattern(const RuleNames& names, std::string_view expression);
// The same of a whole entry: a pattern with what must stand around it.
std::string read_rule_entry(const RuleNames& names, std::string_view entry);

}  // namespace weft
