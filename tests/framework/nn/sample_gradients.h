// Parameters and gradients of tables that tests of gradients take.
#pragma once

#include <cstdint>
#include <vector>

#include "framework/nn/gradients.h"
#include "framework/nn/parameter.h"

namespace weft {

// Zeros, of two columns.
inline Parameter sample_parameter(std::int64_t rows) {
  return {"W", Tensor::zeros({rows, 2}), 0};
}

// Adds to the first number of a row of the table's gradient.
inline void add_row(Gradients& gradients, const Parameter& table, std::int32_t row, float value) {
  std::vector<std::int32_t> rows{row};
  const View to = gradients.rows_of(table).touch(rows);
  to.row<float>(rows[0])[0] += value;
}

}  // namespace weft
