// The parts of speech that a token can have: those of Universal Dependencies, and EOL and SPACE,
// which spaCy adds. spaCy cannot show a document with another one.
// Source: https://universaldependencies.org/u/pos/; spaCy 3.8 (error E1021).
#pragma once

#include <string>
#include <string_view>

#include "registry/base/export.h"

namespace weft {

// "" too: a token need not have one.
WEFT_API bool is_part_of_speech(std::string_view name);

// For messages about a name that is none, with those that it looks like.
WEFT_API std::string no_part_of_speech(std::string_view name);

// Throws Error(data) where it is none.
WEFT_API void check_part_of_speech(std::string_view name);

}  // namespace weft
