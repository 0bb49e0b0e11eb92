// Output of the program: everything on standard output and standard error passes an EscapingBuffer,
// so that no command has to think of control characters in names and texts.
#pragma once

#include <ostream>

#include "framework/text/escaping_buffer.h"

namespace weft::tools {

// Longest line on standard error, bytes: a message that quotes a whole file ends with "…".
inline constexpr std::size_t kLongestMessage = 4000;

// While it lives, std::cout, std::cerr and std::clog escape. One for the whole program.
class Terminal {
 public:
  Terminal();
  ~Terminal();
  Terminal(const Terminal&) = delete;
  Terminal& operator=(const Terminal&) = delete;

 private:
  std::streambuf* out_before_;
  std::streambuf* err_before_;
  std::streambuf* log_before_;
  EscapingBuffer out_;
  EscapingBuffer err_;
};

// The columns of the terminal behind standard error, as it is now; 80 where it does not say.
int terminal_columns();
// Whether standard error is a terminal on which a line can be drawn again.
bool draws_lines();

// Standard output for JSON that may hold any characters: those that are not shown become \u
// escapes, which a parser reads as the same text.
class JsonOutput : public std::ostream {
 public:
  JsonOutput();

 private:
  EscapingBuffer buffer_;
};

}  // namespace weft::tools
