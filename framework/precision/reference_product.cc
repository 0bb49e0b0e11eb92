#include "framework/precision/reference_product.h"

#include <vector>

#include "framework/precision/convert.h"
#include "registry/base/error.h"

namespace weft {

void reference_product(NumberFormat format, const ProductShape& shape,
                       std::span<const std::uint16_t> a, std::span<const std::uint16_t> b,
                       std::span<float> sums) {
  const auto [rows, inner, columns] = shape;
  if (a.size() != rows * inner || b.size() != inner * columns || sums.size() != rows * columns) {
    throw Error(ErrorKind::internal, "a product of matrices whose sizes do not fit its shape");
  }
  std::vector<float> left(a.size());
  std::vector<float> right(b.size());
  widen(format, a, left);
  widen(format, b, right);
  for (std::size_t row = 0; row < rows; ++row) {
    for (std::size_t column = 0; column < columns; ++column) {
      float sum = 0.0F;
      for (std::size_t k = 0; k < inner; ++k) {
        sum += left[row * inner + k] * right[k * columns + column];
      }
      sums[row * columns + column] = sum;
    }
  }
}

}  // namespace weft
