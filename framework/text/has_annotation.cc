#include "framework/text/has_annotation.h"

#include <algorithm>

namespace weft {

bool has_annotation(const Doc& doc, Attr column) {
  const auto values = doc.column(column);
  return doc.empty() ||
         std::any_of(values.begin(), values.end(), [](StringId id) { return id != 0; });
}

}  // namespace weft
