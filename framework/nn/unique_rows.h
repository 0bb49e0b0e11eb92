// Which rows of a matrix of ids are equal: work that depends on a row alone is done once for each
// different one.
#pragma once

#include "framework/ops/context.h"
#include "registry/base/export.h"

namespace weft {

struct UniqueRows {
  Tensor rows;   // (m, columns, u64): each different row once, in order of first appearance
  Tensor index;  // (n, i32): which of them every row is
};

// Of ids (n, columns, u64) on the host; both arrays where the context runs.
WEFT_API UniqueRows unique_rows(Context& ctx, const Tensor& ids);

}  // namespace weft
