// The reduce layers: one row for each document. Sources: Thinc 8.3.
#pragma once

#include <string>

#include "framework/nn/model.h"
#include "framework/ops/reduce.h"
#include "registry/base/export.h"

namespace weft::layers {

// A ragged array (rows, width) to an array (documents, width).
WEFT_API ModelPtr reduce(std::string name, Pool pool);

}  // namespace weft::layers
