// Lines of a text file or a pipe, of a bounded length: a file without line breaks that never ends
// is an error once a line is too long. Files that end in .gz, .zst or .xz are inflated.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "framework/io/input_stream.h"
#include "registry/base/export.h"

namespace weft {

// The message for a carriage return inside of a line. spaCy reads it as a line end, as files of old
// Macs have it.
inline constexpr const char* kCarriageReturn =
    "a carriage return inside of a line; `tr '\\r' '\\n'` makes line ends of them";

class WEFT_API InputLines {
 public:
  // Lines of at most `longest` bytes. Throws as InputStream; the first line as refuse_other_bytes.
  InputLines(const std::string& file, std::size_t longest)
      : InputLines(InputStream(file), file, longest) {}
  // The same of a stream; `name` is for messages.
  InputLines(InputStream stream, const std::string& name, std::size_t longest);

  // Puts the next line into `line`, without its line break and, in the first, without a byte order
  // mark of UTF-8; false at the end. Throws Error(system), and Error(data) with file and line for
  // one that is too long, behind which there is no other.
  bool next(std::string& line);

  // The bytes behind the last line that were read already, or then the next ones; empty at the end.
  // For what is no line: `skip` passes over the first of them.
  std::string_view peek();
  void skip(std::size_t bytes) { at_ += bytes; }

  // Whether a line was too long, or the file is damaged, so that nothing behind it is read.
  bool is_cut() const { return is_cut_; }

  std::int64_t number() const { return number_; }  // of the line that `next` gave last, from 1

 private:
  // Reads the next piece of the file; false at its end.
  bool refill();
  [[noreturn]] void refuse_line();

  std::shared_ptr<const std::string> name_;
  InputStream file_;
  std::size_t longest_;
  std::vector<char> buffer_;
  std::size_t at_ = 0;   // of the part of the buffer that is still to come
  std::size_t end_ = 0;  // behind it
  std::int64_t number_ = 0;
  bool is_beginning_ = true;
  bool ended_ = false;
  bool is_cut_ = false;
};

}  // namespace weft
