// Which tokens belong to a span already.
#pragma once

#include <algorithm>
#include <vector>

#include "framework/text/span.h"

namespace weft {

class TakenTokens {
 public:
  bool at(int token) const {
    return static_cast<std::size_t>(token) < taken_.size() &&
           taken_[static_cast<std::size_t>(token)];
  }
  // Either the first or the last token is.
  bool at_an_end(const Span& span) const { return at(span.start) || at(span.end - 1); }
  bool anywhere(const Span& span) const {
    for (int i = span.start; i < span.end; ++i) {
      if (at(i)) return true;
    }
    return false;
  }
  void take(const Span& span) {
    if (span.end > static_cast<int>(taken_.size()))
      taken_.resize(static_cast<std::size_t>(span.end));
    std::fill(taken_.begin() + span.start, taken_.begin() + span.end, true);
  }

 private:
  std::vector<bool> taken_;
};

}  // namespace weft
