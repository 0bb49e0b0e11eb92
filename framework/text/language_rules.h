// Builds a tokenizer from the readable rule files of a language (docs/tokenizer.md, "Rule files").
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "framework/text/tokenizer_rules.h"
#include "registry/base/export.h"

namespace weft {

// Gives the text of a rule file by its name without ending: "base", "de". The view has to last
// until the rules are built. Throws Error(config) if there is none.
using RuleFiles = std::function<std::string_view(std::string_view name)>;

// The rules of the file `name` and of those it includes. The patterns are in the syntax of Python's
// `re`, so that a saved pipeline works in spaCy too. Throws Error(config) with file and line.
WEFT_API TokenizerRules build_language_rules(std::string_view name, const RuleFiles& files);

}  // namespace weft
