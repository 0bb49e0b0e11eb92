// The reference pages of the documentation, made from what is registered.
#pragma once

#include <string>
#include <string_view>

#include "registry/functions/catalogue.h"

namespace weft {

// A Markdown page with all functions of a kind: parameters with type, range, default and meaning.
// Made from the same data as everything else, so it cannot drift from the code.
WEFT_API std::string reference_page(const Catalogue& catalogue, std::string_view kind);

}  // namespace weft
