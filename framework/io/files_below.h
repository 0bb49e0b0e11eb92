// Files that a path of a user stands for.
#pragma once

#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "registry/base/export.h"

namespace weft {

// A file as it is; of a folder all files below it with that ending (".spacy"), hidden ones left
// out, sorted; folders that links lead to are not searched. Throws Error(usage) for a path that is
// not there, and as InputFile for what is no regular file in a folder.
WEFT_API std::vector<std::string> files_below(const std::filesystem::path& path,
                                              std::string_view ending);
// The same for several endings. `compressed`: also files that are compressed (.jsonl.gz).
enum class CompressedFiles { left_out, taken };
WEFT_API std::vector<std::string> files_below(const std::filesystem::path& path,
                                              std::span<const std::string_view> endings,
                                              CompressedFiles compressed);

// Calls `visit` with all that stands below a folder, in no certain order; folders that links lead
// to are not searched, nor is one for which it says false. Throws Error(system) with the folder and
// the system's reason where one cannot be read, Error(data) where folders lie too deep
// (file_limits.h).
WEFT_API void walk_below(const std::filesystem::path& folder,
                         const std::function<bool(const std::filesystem::directory_entry&)>& visit);

}  // namespace weft
