#include "framework/io/text_lines.h"

#include "framework/io/file_limits.h"
#include "framework/unicode/unicode.h"
#include "registry/base/error.h"

namespace weft {

std::optional<std::string> TextLines::next() {
  std::string line;
  while (!lines_ || !lines_->next(line)) {
    if (opened_ == files_.size()) return std::nullopt;
    lines_ = std::make_unique<InputLines>(files_[opened_++], kLongestTextLine);
    budget_.emplace(file());
  }
  if (line.ends_with('\r')) line.pop_back();
  if (find_invalid_utf8(line)) {
    throw Error(ErrorKind::data, "the line is not valid UTF-8", place());
  }
  return line;
}

Origin TextLines::place() const {
  return Origin::file(std::make_shared<const std::string>(file()), static_cast<int>(number()), 0);
}

}  // namespace weft
