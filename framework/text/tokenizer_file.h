// spaCy's `tokenizer` file, one msgpack map: docs/tokenizer.md, "The tokenizer file".
#pragma once

#include <string>
#include <string_view>

#include "framework/text/tokenizer_rules.h"
#include "registry/base/export.h"

namespace weft {

// Unknown keys are ignored and a value of another type counts as absent, as in spaCy 3.8. Throws
// Error(data) for bytes that are no msgpack map, for a special case whose token carries another
// attribute than ORTH and NORM, and for one whose tokens do not make up its text.
WEFT_API TokenizerRules read_tokenizer_rules(std::string_view bytes);

// The same bytes as spaCy writes for these rules in a saved pipeline (no `vocab` key).
WEFT_API std::string write_tokenizer_rules(const TokenizerRules& rules);

}  // namespace weft
