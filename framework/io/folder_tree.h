// Folders by their descriptor: everything opened, synced or removed below one is reached from it by
// single names and never through a link, whatever somebody else puts there in the meantime.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "framework/io/descriptor.h"
#include "registry/base/export.h"

namespace weft {

// The folder part of a path; "." where it has none.
std::filesystem::path parent_of(const std::filesystem::path& path);

// The folder `name` in the folder `at`, not through a link; empty, with errno, if there is none.
WEFT_API Descriptor open_folder_in(int at, const std::string& name);
// Whether an open file or folder is still the one of that name in the folder `at`; a link is none.
bool is_named(int opened, int at, const std::string& name);

// The names in a folder without "." and "..", sorted. Throws Error(system).
std::vector<std::string> names_in(int folder, const std::filesystem::path& shown_as);

// Puts all files and folders below the folder, and itself, on the disk. Throws Error(system), also
// where a link stands among them.
void sync_tree(int folder, const std::filesystem::path& shown_as);

// Removes the file, link or folder `name` in the folder `at`, with all below it; a link leads
// nowhere. Gives 0 or an errno; a file that is not there counts as removed.
int remove_in(int at, const std::string& name);

// The same by path, whose folder part may lead through links. From a folder, the file `first` is
// removed before all others.
WEFT_API void remove_tree(const std::filesystem::path& path, std::string_view first = {});

}  // namespace weft
