// Whether a file of token lines has to say where its documents end.
#pragma once

#include <string_view>

#include "framework/text/converter.h"
#include "registry/base/export.h"

namespace weft {

// Whether documents in an output of that format (".conll") need -DOCSTART- or # newdoc lines: it
// has a word on each line, and one of the documents has several sentences. The input is read for
// that; false where it can be read only once: see SeekableInput. Throws as `read` of the converter.
WEFT_API bool needs_docstart(const Converter& converter, const ConverterInput& input,
                             std::string_view format);

}  // namespace weft
