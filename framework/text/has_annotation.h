// Whether a document says anything of an attribute.
#pragma once

#include "framework/text/doc.h"

namespace weft {

// Whether some token has a value other than 0 in that column, or there is no token, as spaCy's
// Doc.has_annotation.
WEFT_API bool has_annotation(const Doc& doc, Attr column);

}  // namespace weft
