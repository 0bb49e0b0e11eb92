#include "tests/framework/precision/reference_gemm.h"

#include <vector>

#include <gtest/gtest.h>

#include "framework/precision/convert.h"

namespace weft {
namespace {

TEST(ReferenceGemm, AccumulatesInF32) {
  const std::vector<float> ones(4096, 1.0F);
  std::vector<std::uint16_t> low(ones.size());
  for (const NumberFormat format : {NumberFormat::f16, NumberFormat::bf16}) {
    narrow(format, ones, low);
    float sum = 0.0F;
    reference_gemm(format, {1, 4096, 1}, low, low, std::span(&sum, 1));
    EXPECT_EQ(sum, 4096.0F);  // a 16-bit accumulator stays at 2048 or 256
  }
}

}  // namespace
}  // namespace weft
