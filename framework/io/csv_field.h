// A cell of a CSV file that is written; csv_rows.h reads them.
#pragma once

#include <string>
#include <string_view>

namespace weft {

// The text as it is or, where it has one of the `special` characters, in quotes, with its own
// quotes doubled.
std::string csv_field(const std::string& text, std::string_view special);

}  // namespace weft
