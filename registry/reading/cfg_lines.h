// The first step of reading a `.cfg` file: lines to sections, keys and raw values.
// Source: docs/config.md, "Lines".
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "registry/base/problem.h"

namespace weft {

struct RawEntry {
  std::string_view key;
  std::string value;  // continuation lines joined by line feeds
  int line = 0;
  int key_column = 0;
  int value_line = 0;
  int value_column = 0;
  std::vector<std::string> comments;
};

struct RawSection {
  std::string_view name;
  int line = 0;
  int column = 0;
  std::vector<RawEntry> entries;
  std::vector<std::string> comments;
};

struct RawFile {
  std::vector<RawSection> sections;
  std::vector<std::string> trailing_comments;
};

enum class LineEnds {
  line_feed,  // a string: only LF ends a line
  universal,  // a file: CR, CRLF and LF do
};

// Reports the first byte that is not valid UTF-8, if there is one.
bool report_invalid_utf8(std::string_view text, const std::shared_ptr<const std::string>& name,
                         Problems& problems);

// Views into `text`, which must stay alive. Bad lines, bytes that are no UTF-8 and input beyond the
// limits become problems at places in `name`.
RawFile split_lines(std::string_view text, LineEnds ends,
                    const std::shared_ptr<const std::string>& name, Problems& problems);

}  // namespace weft
