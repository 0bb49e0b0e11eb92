// Opens a file that has to lie below a folder, whatever links somebody planted there.
#pragma once

#include <filesystem>

#include "registry/export.h"

namespace weft {

// Whether `path` names something below `folder`, as far as the names go: relative to it and without
// a step up. Gives that relative path; empty if it lies elsewhere.
WEFT_API std::filesystem::path path_below(const std::filesystem::path& folder,
                                          const std::filesystem::path& path);

// A descriptor of the file `name` (relative, no `..`) below `folder`, for reading and writing;
// folders on the way and the file are made where they are missing. No link is followed below
// `folder`. Throws Error(system), also where the file is none of its own: a link, a device or a
// pipe, or a file that has another name elsewhere, which would be changed as well.
WEFT_API int open_below(const std::filesystem::path& folder, const std::filesystem::path& name);

}  // namespace weft
