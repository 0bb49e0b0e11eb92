// From text to a document: the tokenizer's result with the lexical attributes of each token.
#pragma once

#include <memory>
#include <string_view>

#include "framework/text/doc.h"
#include "framework/text/tokenizer.h"
#include "registry/base/export.h"

namespace weft {

// Tokenizes `text` (UTF-8) and looks the words up in `vocab`, to whose strings the norms of special
// cases are added. May be called by several threads at once. Throws as Tokenizer::tokenize.
WEFT_API Doc make_doc(const Tokenizer& tokenizer, std::shared_ptr<const Vocab> vocab,
                      std::string_view text);

}  // namespace weft
