// The languages that are built in, by code. Their data stands in components/languages/*.rules and
// is compiled into the library, so that nothing has to be found at run time.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "framework/text/tokenizer_rules.h"
#include "registry/base/export.h"

namespace weft {

// "de", "en" … in alphabetical order.
WEFT_API std::vector<std::string> language_codes();
WEFT_API bool has_language(std::string_view code);

// Whether a text can be the code of a language: "en", "hsb"; whether there are rules is not asked.
WEFT_API bool is_language_code(std::string_view code);

// The tokenizer rules of a language, built from its rule file; those for any language, "xx", where
// it has none. Throws Error(config), with the codes that have one, for a text that is no code.
WEFT_API TokenizerRules language_tokenizer_rules(std::string_view code);

// That there are no rules for the language, and which code may have been meant; empty where there
// are.
WEFT_API std::string language_note(std::string_view code);

// Rules in the format of those files, which may include them. `name`: of the file without ending,
// for messages. Throws Error(config) with file and line.
WEFT_API TokenizerRules tokenizer_rules_of(std::string_view rules, std::string_view name);

}  // namespace weft
