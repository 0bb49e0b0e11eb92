// One line at the bottom of a terminal that is drawn again and again, while what is written goes
// above it.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <iosfwd>
#include <mutex>
#include <ostream>
#include <streambuf>
#include <string>
#include <string_view>
#include <vector>

#include "registry/base/export.h"

namespace weft {

// Parts of a line, from the most important to the least: those that do not fit are left out.
struct ProgressParts {
  std::vector<std::string> texts;
  double share = -1.0;  // done, from 0 to 1, drawn as a bar where there is room; negative: unknown
};

// The parts in at most `width` columns: ASCII text.
WEFT_API std::string fitted_line(const ProgressParts& parts, std::size_t width);

class WEFT_API ProgressLine {
 public:
  // `width` gives the columns of the terminal as they are now; a line takes one less. The stream
  // outlives this.
  ProgressLine(std::ostream& terminal, std::function<int()> width);
  ~ProgressLine();  // takes the line away
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  // Ten times a second at most, unless it is `at_once`. From any thread.
  void show(const ProgressParts& parts, bool at_once = false);
  // Takes the line away until the next `show`.
  void clear();

  // A stream to the same terminal: text written to it takes the line away first, and no line is
  // drawn behind text without a line feed. `target` outlives it.
  class WEFT_API Above : public std::ostream {
   public:
    Above(std::ostream& target, ProgressLine& line);

   private:
    class Buffer : public std::streambuf {
     public:
      Buffer(std::streambuf& target, ProgressLine& line) : target_(target), line_(line) {}

     protected:
      int_type overflow(int_type c) override;
      std::streamsize xsputn(const char* text, std::streamsize size) override;
      int sync() override;

     private:
      std::streambuf& target_;
      ProgressLine& line_;
    };
    Buffer buffer_;
  };

 private:
  void erase();
  bool write_above(std::streambuf& target, std::string_view text);

  std::ostream& terminal_;
  std::function<int()> width_;
  std::mutex mutex_;
  std::size_t drawn_columns_ = 0;  // of the line that stands there
  bool in_text_ = false;           // what was written above ended without a line feed
  std::chrono::steady_clock::time_point drawn_at_;
};

}  // namespace weft
