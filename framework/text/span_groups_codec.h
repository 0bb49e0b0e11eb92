// Span groups as bytes, in the two layouts of `.spacy` files and as spaCy 3.8 writes them.
#pragma once

#include <string>
#include <string_view>

#include "framework/text/doc.h"
#include "registry/export.h"

namespace weft {

// Adds the groups in `bytes` to the document. `name` is the source's, for messages. Throws
// Error(data) for damaged data and for spans that do not lie in the document.
WEFT_API void unpack_span_groups(std::string_view bytes, const std::string& name, Doc& doc);

// The groups of a document; equal ones are stored once, under all their keys.
WEFT_API std::string pack_span_groups(const Doc& doc);

}  // namespace weft
