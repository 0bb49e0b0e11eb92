// Whether a program would write over what it reads.
#pragma once

#include <filesystem>

#include "registry/base/export.h"

namespace weft {

// Whether both names lead to one file, through links too; for a folder as `input`, whether `output`
// is one of the files below it, or would be: the next reading would take it for input. Devices such
// as a terminal can be both. False where the input is not there.
WEFT_API bool is_input_itself(const std::filesystem::path& input,
                              const std::filesystem::path& output);

}  // namespace weft
