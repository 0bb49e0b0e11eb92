// A stream's way to the terminal: no control character of a file, a name or a message passes it,
// whatever writes to the stream.
#pragma once

#include <cstddef>
#include <iosfwd>
#include <streambuf>
#include <string>
#include <string_view>

#include "framework/text/printable.h"
#include "registry/base/export.h"

namespace weft {

// Put under a stream (`std::cerr.rdbuf(&buffer)`), it hands on what is written as
// `printable_lines` shows it. A UTF-8 sequence that two writes share stays whole. Where the target
// takes no more, writing fails as the target's does.
class WEFT_API EscapingBuffer : public std::streambuf {
 public:
  // `target` outlives this. A line of more than `longest_line` bytes is cut there and ends with
  // "…"; 0: lines of any length.
  explicit EscapingBuffer(std::streambuf& target, EscapeForm form = EscapeForm::braces,
                          std::size_t longest_line = 0);
  ~EscapingBuffer() override;
  EscapingBuffer(const EscapingBuffer&) = delete;
  EscapingBuffer& operator=(const EscapingBuffer&) = delete;

  std::streambuf& target() const { return target_; }

  // The only control sequence there is: empties the line that the cursor is in, and so many above
  // it.
  bool erase_line(int above = 0);

 protected:
  int_type overflow(int_type c) override;
  std::streamsize xsputn(const char* text, std::streamsize size) override;
  int sync() override;

 private:
  bool write(std::string_view text);
  bool show(std::string_view text);
  bool show_part_of_line(std::string_view part);
  bool hand_on(std::string_view text);

  std::streambuf& target_;
  EscapeForm form_;
  std::size_t longest_line_;
  std::size_t line_ = 0;    // bytes of the current line that were handed on
  bool is_cut_ = false;     // the rest of the current line is left out
  std::string unfinished_;  // the beginning of a UTF-8 sequence
};

// Empties the line of a terminal, and so many above it, past an EscapingBuffer where the stream has
// one.
WEFT_API void erase_line(std::ostream& terminal, int above = 0);

}  // namespace weft
