// Documents as lines that other programs read.
#pragma once

#include <string>

#include "framework/text/doc.h"
#include "registry/config.h"
#include "registry/export.h"

namespace weft {

// {"text", "tokens": [...], "spaces": [...], "ents": [{"start": first token, "end": past the last,
//  "start_char", "end_char", "label"}], "cats": {...}}; characters are counted in code points.
WEFT_API Node doc_to_json(const Doc& doc);

// A word, a tab and its IOB2 tag on each line, an empty line after each sentence; tokens without
// annotation have the tag "-", words with a tab or line feed in them a blank instead.
WEFT_API std::string doc_to_conll(const Doc& doc);

}  // namespace weft
