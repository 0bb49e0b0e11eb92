#include "framework/text/code_point_index.h"

#include "framework/unicode/unicode.h"

namespace weft {
namespace {

constexpr std::size_t kStep = 256;  // code points from mark to mark

}  // namespace

CodePointIndex::CodePointIndex(std::string_view text) : text_(text) {
  std::size_t at = 0;
  for (std::size_t count = 0; at < text.size(); ++count) {
    if (count % kStep == 0) marks_.push_back(at);
    next_code_point(text, at);
  }
}

std::size_t CodePointIndex::byte(std::size_t index) const {
  const std::size_t mark = index / kStep;
  if (mark >= marks_.size()) return text_.size();
  return marks_[mark] + byte_offset(text_.substr(marks_[mark]), index % kStep);
}

}  // namespace weft
