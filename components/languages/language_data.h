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

// The tokenizer rules of a language, built from its rule file. Throws Error(config) with the codes
// that there are for one that is not built in.
WEFT_API TokenizerRules language_tokenizer_rules(std::string_view code);

}  // namespace weft
