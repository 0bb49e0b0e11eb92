// Tells the JSON training format of spaCy 2 from lists of records.
#pragma once

#include <string>

#include "registry/base/export.h"

namespace weft {

// Whether the first document of a .json file has "paragraphs" among its keys, as far as its first
// 64 KiB show. A pipe, which can be read only once, counts as such a file.
WEFT_API bool looks_like_spacy_json(const std::string& path);

}  // namespace weft
