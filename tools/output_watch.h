// Whether the reader of standard output has gone: `weft apply … | head`.
#pragma once

#include <streambuf>

namespace weft::tools {

// While it lives, std::cout notes why it could not be written to. One for the whole program, below
// the escapes of a Terminal.
class OutputWatch : private std::streambuf {
 public:
  OutputWatch();
  ~OutputWatch() override;
  OutputWatch(const OutputWatch&) = delete;
  OutputWatch& operator=(const OutputWatch&) = delete;

  // Whether std::cout failed because nobody reads from it.
  bool met_closed_pipe() const { return is_closed_; }

 private:
  int_type overflow(int_type c) override;
  std::streamsize xsputn(const char* text, std::streamsize size) override;
  int sync() override;
  void note_failure();

  std::streambuf* before_;
  bool is_closed_ = false;
};

// Whether standard output is a pipe that nobody reads from.
bool is_output_closed();

}  // namespace weft::tools
