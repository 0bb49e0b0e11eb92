// Formats of documents, told by the first bytes of a file: for readers that were given another one
// than theirs.
#pragma once

#include <string>
#include <string_view>

#include "registry/base/export.h"

namespace weft {

enum class KnownFormat { unknown, spacy, conll, jsonl, json };

// The format of text or bytes with that beginning; `unknown` where nothing tells.
WEFT_API KnownFormat format_of(std::string_view beginning);

// Throws Error(data) for a regular file that holds another known format than `wanted`: which one
// it is, the reader that takes it and the words of `weft convert`. Nothing for any other file, for
// pipes and for what cannot be opened: the reader itself says what is wrong with those.
WEFT_API void refuse_other_format(const std::string& file, KnownFormat wanted);

}  // namespace weft
