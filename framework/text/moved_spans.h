// Annotation of a whole document when its tokens become others of the same text.
#pragma once

#include "framework/text/doc.h"
#include "registry/base/export.h"

namespace weft {

// Strings, categories, user data, and groups of spans by their characters: those that no longer lie
// on token boundaries are left out.
WEFT_API void move_document_annotation(const Doc& from, Doc& to);

}  // namespace weft
