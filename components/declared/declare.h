// Names that configs of the reference use and this version does not build: a config that has one is
// checked and filled, and building it says so by name.
//
// A text gives a name on a line of its own and below it, indented by two blanks, its parameters:
//
//   LSTM.v1
//     nO int? = null
//     *
//     dropout float = 0.0
//
// A parameter is a name, a type and, unless it is required, its default in JSON; lines indented
// further go on with it. Types: any, bool, int, float, str, path, dict, a list [str], a choice
// one|other; `?` behind one: or null. Behind `*` parameters are given by name; `*layers any` takes
// the values given by place, `**kwargs any` all other names. `meta {...}` attaches facts.
#pragma once

#include <string_view>

#include "registry/functions/catalogue.h"
#include "registry/functions/registration.h"

namespace weft {

// Adds the names of `text`, which lives for ever. Parameters are read when they are first asked
// for.
WEFT_API void declare(Catalogue& catalogue, std::string_view kind, std::string_view text);

// The parameters of one name: the indented lines. Throws Error(internal) for lines that are no
// parameters.
WEFT_API Signature declared_signature(std::string_view lines);

}  // namespace weft
