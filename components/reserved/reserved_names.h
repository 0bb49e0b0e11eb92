// Names that configs of the reference use and this version does not build. They stand in
// components/reserved/reserved_names.txt, which says how it is written; a config that has one is
// checked and filled, and building it says so by name.
#pragma once

#include <string_view>

#include "registry/functions/catalogue.h"

namespace weft {

// Reserves the names of `text`, which lives for ever. Their parameters are read when they are first
// asked for. Throws Error(internal) with the line for a name without a kind, a line indented by one
// blank or without a name above it, and facts that are no JSON object.
WEFT_API void add_reserved_names(Catalogue& catalogue, std::string_view text);

// The parameters of a name: the indented lines below it. Throws Error(internal) with the line for
// one that is no parameter.
WEFT_API Signature reserved_signature(std::string_view lines);

}  // namespace weft
