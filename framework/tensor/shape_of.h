// Shapes whose number of dimensions is known at run time, as in files and messages.
#pragma once

#include <cstdint>
#include <span>

#include "framework/tensor/shape.h"

namespace weft {

// Of at most Shape::max_rank dimensions; rank 0 for none.
inline Shape shape_of(std::span<const std::int64_t> dims) {
  switch (dims.size()) {
    case 0:
      return {};
    case 1:
      return {dims[0]};
    case 2:
      return {dims[0], dims[1]};
    case 3:
      return {dims[0], dims[1], dims[2]};
    default:
      return {dims[0], dims[1], dims[2], dims[3]};
  }
}

}  // namespace weft
