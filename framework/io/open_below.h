// Opens a file that has to lie below a folder, whatever links somebody planted there.
#pragma once

#include <filesystem>

#include "framework/io/growing_file.h"
#include "registry/base/export.h"

namespace weft {

// Whether `path` names something below `folder`, as far as the names go: relative to it and without
// a step up. Gives that relative path; empty if it lies elsewhere.
WEFT_API std::filesystem::path path_below(const std::filesystem::path& folder,
                                          const std::filesystem::path& path);

// The file `name` (relative, no `..`) below `folder`, open for reading and for appending; folders
// on the way and the file are made where they are missing, and what is in it stays. No link is
// followed below `folder`. Throws Error(system) for a device or a pipe, and for a link or a file
// that has another name elsewhere, which would be changed as well: where the file begins anew,
// those two are replaced instead.
WEFT_API Descriptor open_below(const std::filesystem::path& folder,
                               const std::filesystem::path& name, Growth growth);

}  // namespace weft
