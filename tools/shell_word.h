// A word of a command that is shown to be copied.
#pragma once

#include <string>
#include <string_view>

namespace weft::tools {

// As a POSIX shell reads it back: as it is where no character of it means something to the shell,
// else in single quotes.
std::string shell_word(std::string_view word);

}  // namespace weft::tools
