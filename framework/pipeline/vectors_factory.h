// Makes the table of word vectors of a pipeline. Named by `@vectors`.
#pragma once

#include <string>
#include <string_view>

#include "registry/functions/type.h"

namespace weft {

// An empty table of a mode; a pipeline fills it when it is initialised or read.
struct VectorsFactory {
  std::string mode = "default";
};

template <>
struct ProductTraits<VectorsFactory> {
  static constexpr std::string_view kind = "vectors", name = "vectors";
  static constexpr bool callable = true;
};

}  // namespace weft
