#include "registry/value/number.h"

#include <locale.h>
#include <stdlib.h>

namespace weft {

// std::from_chars knows no locale either, but does not say whether a number that is out of range is
// too large or too small.
double double_of(const std::string& text) {
  static const locale_t kPlain = ::newlocale(LC_ALL_MASK, "C", nullptr);
  return ::strtod_l(text.c_str(), nullptr, kPlain);
}

}  // namespace weft
