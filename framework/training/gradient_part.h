// The gradient of the part of an array that a rank updates: what belongs to other ranks has been
// sent to them, and would be added up for nothing.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <vector>

#include "framework/nn/gradients.h"
#include "framework/nn/parameter.h"
#include "framework/training/array_part.h"

namespace weft {

// Those rows of a gradient that lie in a part, in the order in which they were touched: their
// numbers in the table, and where they stand among those that are kept.
struct RowsOfPart {
  std::vector<std::int32_t> rows, places;

  RowsOfPart(const RowGradient& gradient, ArrayPart part) {
    const std::int64_t width = gradient.values().cols();
    const auto all = gradient.rows();
    for (std::size_t i = 0; i < all.size(); ++i) {
      const std::int64_t at = all[i] * width;
      if (at < part.begin || at >= part.end) continue;
      rows.push_back(all[i]);
      places.push_back(static_cast<std::int32_t>(i));
    }
  }
};

// Of an array zeros are left elsewhere, of a table the rows go.
inline void keep_part(Gradients& gradients, const Parameter& parameter, ArrayPart part) {
  if (const RowGradient* rows = gradients.find_rows(parameter)) {
    RowsOfPart kept(*rows, part);
    const ConstView values = rows->values();
    const std::size_t row_bytes = static_cast<std::size_t>(values.cols()) * size_of(values.dtype);
    std::vector<std::byte> bytes(kept.rows.size() * row_bytes);
    for (std::size_t i = 0; i < kept.rows.size(); ++i) {
      std::memcpy(bytes.data() + i * row_bytes, values.slice(kept.places[i], 1).data, row_bytes);
    }
    gradients.drop(parameter);
    const View to = gradients.rows_of(parameter).touch(kept.rows);
    if (!bytes.empty()) std::memcpy(to.data, bytes.data(), bytes.size());
    return;
  }
  if (gradients.find_array(parameter) == nullptr) return;
  const View array = gradients.of(parameter).view();
  const auto zero = [&](std::int64_t begin, std::int64_t end) {
    const auto size = static_cast<std::int64_t>(size_of(array.dtype));
    std::fill_n(static_cast<std::byte*>(array.data) + begin * size, (end - begin) * size,
                std::byte{0});
  };
  zero(0, part.begin);
  zero(part.end, array.size());
}

}  // namespace weft
