// A look at TOML text before and beside the TOML library: its comments, which the library drops,
// and its size, which the library does not bound. Source: docs/config.md, "TOML".
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace weft {

struct TomlComment {
  int line;
  std::string text;  // from the `#` on
};

struct TomlScan {
  std::vector<TomlComment> comments;
  // The first character beyond ASCII outside quotes and comments, or quote in the middle of a word:
  // TOML allows neither, and the library's behaviour for some of the former is undefined. So it is
  // for the first character of a line that a backslash at a line's end joins to the one before.
  int stray_line = 0;
  int stray_column = 0;
  std::string_view stray_reason;
  int too_deep_line = 0;      // the first line with a dotted name of more than kDeepestConfig parts
  bool has_too_many = false;  // values, tables or lines
};

TomlScan scan_toml(std::string_view text);

}  // namespace weft
