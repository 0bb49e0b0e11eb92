// Things under the name of a file that are none, or none that can be read: FIFOs, devices, loops of
// links, sockets, folders, files of holes.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace weft::testing_tools {

// "fifo", "zero", "urandom", "folder", "loop", "socket", "holes", "more holes", "fifo behind a
// link".
const std::vector<std::string>& special_kinds();

// Puts one in the place of what has that name. `far` is an empty folder for what links lead to.
void put_special(const std::string& kind, const std::filesystem::path& name,
                 const std::filesystem::path& far);

}  // namespace weft::testing_tools
