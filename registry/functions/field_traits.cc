#include "registry/functions/field_traits.h"

#include <charconv>

#include "registry/base/error.h"

namespace weft {

void throw_unchecked_field(const Type& type, const Argument& value) {
  throw Error(ErrorKind::internal, "a field of type " + type.str() + " was given " +
                                       value.type_name() + " that nobody checked");
}

double widen(float value) {
  char text[64];
  const auto written = std::to_chars(text, text + sizeof text, value);
  double result = value;
  std::from_chars(text, written.ptr, result);
  return result;
}

}  // namespace weft
