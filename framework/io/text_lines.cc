#include "framework/io/text_lines.h"

#include <fmt/format.h>

#include "framework/text/unicode.h"
#include "registry/error.h"

namespace weft {

std::optional<std::string> TextLines::next() {
  std::string line;
  while (!std::getline(stream_, line)) {
    if (opened_ == files_.size()) return std::nullopt;
    stream_ = std::ifstream(files_[opened_++], std::ios::binary);
    number_ = 0;
    if (!stream_) {
      throw Error(ErrorKind::system, fmt::format("cannot read {}", files_[opened_ - 1]));
    }
  }
  ++number_;
  if (line.ends_with('\r')) line.pop_back();
  if (find_invalid_utf8(line)) {
    throw Error(ErrorKind::data,
                fmt::format("{}:{}: the line is not valid UTF-8", files_[opened_ - 1], number_));
  }
  return line;
}

}  // namespace weft
