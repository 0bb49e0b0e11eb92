// The attributes of a token by which word vectors can be looked up.
#pragma once

#include <span>
#include <string>

#include "framework/text/symbols.h"
#include "framework/text/vectors.h"
#include "registry/base/export.h"

namespace weft {

// By key: those whose values are strings. Floret, which hashes the text itself: those whose text
// every token has.
WEFT_API std::span<const Attr> vector_attrs(Vectors::Mode mode);

WEFT_API bool is_vector_attr(Vectors::Mode mode, Attr attr);

// Their names: "ORTH, LOWER or NORM".
WEFT_API std::string vector_attr_names(Vectors::Mode mode);

}  // namespace weft
