// The JSON texts of a file of records: its lines, or the elements of the one list that it holds.
#pragma once

#include <cstddef>
#include <string>

#include "framework/io/input_lines.h"
#include "registry/base/export.h"

namespace weft {

class WEFT_API RecordTexts {
 public:
  // Throws as InputFile where the file cannot be opened; pipes are read.
  explicit RecordTexts(const std::string& file);

  // Puts the next one into `text`: a line, which may be blank, or an element without what parts it
  // from others. False at the end. Throws Error(data) with file and line for a text of more than 64
  // MiB, a list that does not end, and what stands between elements or behind the list.
  bool next(std::string& text);

  int line() const { return line_; }  // where the last one begins, from 1
  // Behind an Error: false where the file gives nothing more.
  bool goes_on() const { return !is_broken_ && !lines_.is_cut(); }

 private:
  void begin();
  bool next_line(std::string& text);
  bool next_element(std::string& text);
  // The next byte that is no blank; '\0' at the end of the file.
  char next_mark();
  void take_element(std::string& text);
  [[noreturn]] void fail(const std::string& message);

  std::string file_;
  InputLines lines_;
  bool has_begun_ = false;
  bool is_list_ = false;
  bool is_first_ = true;  // of the list
  bool has_ended_ = false;
  bool is_broken_ = false;
  int line_ = 0;
  int at_line_ = 1;  // of a list: where reading has come to
};

}  // namespace weft
