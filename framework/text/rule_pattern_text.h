// Parts of a pattern in the syntax of Python's `re`, as the rules of a language are written in it.
#pragma once

#include <string>
#include <string_view>

#include "framework/text/rule_names.h"

namespace weft {

// Adds a text that stands for itself. Letters and signs that mean only themselves are left
// readable.
void write_literal(std::string& out, std::string_view text);

// The class of a set, "[…]"; a shorthand alone needs no brackets.
std::string class_of(const RuleSet& set);

}  // namespace weft
