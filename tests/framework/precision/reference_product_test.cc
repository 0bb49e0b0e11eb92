#include "framework/precision/reference_product.h"

#include <vector>

#include <gtest/gtest.h>

#include "framework/precision/convert.h"
#include "registry/base/error.h"

namespace weft {
namespace {

TEST(ReferenceProduct, AccumulatesInF32) {
  const std::vector<float> ones(4096, 1.0F);
  std::vector<std::uint16_t> low(ones.size());
  for (const NumberFormat format : {NumberFormat::f16, NumberFormat::bf16}) {
    narrow(format, ones, low);
    float sum = 0.0F;
    reference_product(format, {1, 4096, 1}, low, low, std::span(&sum, 1));
    EXPECT_EQ(sum, 4096.0F);  // a 16-bit accumulator stays at 2048 or 256
  }
}

TEST(ReferenceProduct, RefusesWrongSizes) {
  std::vector<std::uint16_t> low(6);
  std::vector<float> sums(4);
  EXPECT_NO_THROW(reference_product(NumberFormat::f16, {2, 3, 2}, low, low, sums));
  EXPECT_THROW(reference_product(NumberFormat::f16, {2, 2, 2}, low, low, sums), Error);
}

}  // namespace
}  // namespace weft
