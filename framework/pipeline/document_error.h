// Faults that show while a document is annotated: no file and line goes with it any more.
#pragma once

#include <string>

#include "framework/text/doc.h"
#include "registry/base/error.h"

namespace weft {

// The error, of the same kind, with the component's name before its message and the beginning of
// the document's text behind it, by which the document is found.
WEFT_API Error document_error(const Error& error, const std::string& component, const Doc& doc);

}  // namespace weft
