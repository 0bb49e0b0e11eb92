// Where a test finds the project's files and what the build made of them. Only folders.cc is
// compiled with these places: a compiler cache can take every test from another checkout, and tests
// fit into units of several sources.
#pragma once

#include <string>
#include <string_view>

namespace weft {

// A path below the folder of the sources ("docs/data.md"); the folder itself for an empty one.
std::string source_path(std::string_view below = "");

// A path below the build folder ("bin/weft").
std::string build_path(std::string_view below = "");

// A path below the folder where the build puts the project's shared libraries ("libweft.so").
std::string library_path(std::string_view below = "");

}  // namespace weft
