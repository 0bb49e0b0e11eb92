// Opens a file that has to lie below a folder, whatever links somebody planted there.
#pragma once

#include <filesystem>
#include <set>
#include <string>
#include <string_view>

#include "framework/io/growing_file.h"
#include "registry/base/export.h"

namespace weft {

// Whether `path` names something below `folder`, as far as the names go: relative to it and without
// a step up. Gives that relative path; empty if it lies elsewhere.
WEFT_API std::filesystem::path path_below(const std::filesystem::path& folder,
                                          const std::filesystem::path& path);

// The file `name` (relative, no `..`) below `folder`, open for reading and for appending; folders
// on the way and the file are made where they are missing, and its contents stay. No link is
// followed below `folder`. Throws Error(system) for a device or a pipe, and for a link or a file
// that has another name elsewhere, which would be changed as well: where the file begins anew,
// those two are replaced instead.
WEFT_API Descriptor open_below(const std::filesystem::path& folder,
                               const std::filesystem::path& name, Growth growth);

// Puts a file with these bytes in the place of `name` (relative, no `..`) below `folder`, in one
// step: it is written as NAME.new, synced and renamed. Folders on the way are made, links are
// replaced, not followed. Throws Error(system).
WEFT_API void replace_below(const std::filesystem::path& folder, const std::filesystem::path& name,
                            std::string_view bytes);

// Makes the folder `name` below `folder`, and those on the way. Throws Error(system).
WEFT_API void make_folder_below(const std::filesystem::path& folder,
                                const std::filesystem::path& name);

// Removes the files in the folder `name` below `folder` but for those that are named. Folders and
// links in it stay, and nothing happens where it is not there. Throws Error(system).
WEFT_API void keep_only_below(const std::filesystem::path& folder,
                              const std::filesystem::path& name, const std::set<std::string>& kept);

// Whether a file or folder of that name is there, reached without following a link below `folder`.
WEFT_API bool exists_below(const std::filesystem::path& folder, const std::filesystem::path& name);

}  // namespace weft
