// Names that nobody can guess.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "registry/base/export.h"

namespace weft {

// So many letters of the alphabet, by the system's random bytes: each alike where its length
// divides 256. Throws Error(system).
WEFT_API std::string random_letters(std::string_view alphabet, std::size_t length);

}  // namespace weft
