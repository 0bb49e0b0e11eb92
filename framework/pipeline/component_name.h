// The names that a component may have. One becomes that of a folder in every saved pipeline.
// Source: docs/limits.md, "Configs".
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>

#include "registry/base/export.h"

namespace weft {

// Why a component cannot have that name, for a message that begins with it; empty if it can: one to
// 64 letters, digits, `_` and `-`, no `-` first, and none of the names that a pipeline's folder has
// for its own files, upper or lower case.
WEFT_API std::string fault_of_component_name(std::string_view name);

// A name like it that a component can have; empty where nothing is left of it.
WEFT_API std::string similar_component_name(std::string_view name);

// Whether a file system that does not tell upper from lower case takes two names for one.
WEFT_API bool same_component_folder(std::string_view left, std::string_view right);

// Whether a list of components (the frozen, the annotating, the disabled ones) has that one.
WEFT_API bool names_contain(std::span<const std::string> names, std::string_view name);

// `folder` / `name`; throws Error(config) where that is no name of a component. Every path that a
// component's name is part of comes from here.
WEFT_API std::filesystem::path component_path(const std::filesystem::path& folder,
                                              std::string_view name);

}  // namespace weft
