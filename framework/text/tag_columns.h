// Which columns of a file with a token on each line are what: CoNLL's two to four columns between
// tabs or spaces, or those that a header names, also between commas or semicolons with cells in
// quotes (RFC 4180).
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "registry/base/export.h"

namespace weft {

// The cells of a line that count; views of the line and of the columns, until the next line.
struct TagRow {
  std::string_view word;
  std::string_view tag;
  std::optional<std::string_view> pos;
  std::string_view sentence;  // "" where there is no such column, or the cell is empty
};

// Not for several threads.
class WEFT_API TagColumns {
 public:
  // By the first line of a file that is not blank, and the file's name. Throws Error(data), without
  // a place, for a header that names no word or no tag, with the nearest name.
  TagColumns(std::string_view first_line, std::string_view file);

  bool has_header() const { return header_ > 0; }

  // Throws Error(data), without a place, for another number of columns than the header or the lines
  // before have, for fewer than 2 or more than 4 without a header, for a line without a word, and
  // for quotes that do not end.
  TagRow row(std::string_view line);

  // Whether a line has nothing but blanks, or only empty cells between commas.
  bool is_blank(std::string_view line) const;

 private:
  void split(std::string_view line);
  void take_header(const std::vector<std::string>& names);

  char separator_ = '\0';   // '\0': tabs where a line has one, else spaces
  std::size_t header_ = 0;  // columns of it; 0: none
  std::size_t word_ = 0;
  std::size_t tag_ = 0;
  std::optional<std::size_t> pos_;
  std::optional<std::size_t> sentence_;
  std::size_t columns_ = 0;  // of every line so far
  std::vector<std::string_view> cells_;
  std::string unquoted_;  // of one line
};

// Whether a line between commas is of such a file: a header of it, or a word and a tag.
WEFT_API bool looks_like_tag_csv(std::string_view first_line);

}  // namespace weft
