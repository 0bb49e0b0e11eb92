#include "framework/backends/cpu/gemm/vector_panel.h"

#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

#include "framework/precision/element_type.h"
#include "tests/framework/ops/random_tensor.h"

namespace weft::cpu {
namespace {

// Row i, column j is 100 i + j.
std::vector<float> numbered(std::int64_t rows, std::int64_t columns) {
  std::vector<float> numbers;
  for (std::int64_t i = 0; i < rows; ++i) {
    for (std::int64_t j = 0; j < columns; ++j) numbers.push_back(static_cast<float>(100 * i + j));
  }
  return numbers;
}

TEST(VectorPanel, ColumnsFollowEachOtherDepthByDepth) {
  const std::vector<float> rows = numbered(3, 7);
  std::vector<float> panel(2 * 4, -1.0F);
  pack_panel({rows.data(), 7, false, 7, 3}, 2, 4, 1, 2, panel.data());
  EXPECT_EQ(panel, (std::vector<float>{102, 103, 104, 105, 202, 203, 204, 205}));
}

TEST(VectorPanel, LinesThatLieAlongTheDepthAreTransposed) {
  const std::vector<float> lines = numbered(20, 3);
  std::vector<float> panel(2 * 18, -1.0F);
  pack_panel({lines.data(), 3, true, 20, 3}, 1, 18, 1, 2, panel.data());
  for (std::int64_t j = 0; j < 18; ++j) {
    EXPECT_EQ(panel[static_cast<std::size_t>(j)], static_cast<float>(100 * (j + 1) + 1));
    EXPECT_EQ(panel[static_cast<std::size_t>(18 + j)], static_cast<float>(100 * (j + 1) + 2));
  }
}

TEST(VectorPanel, BeyondTheFactorStandZeros) {
  const std::vector<float> numbers = numbered(3, 3);
  for (const bool depth_contiguous : {false, true}) {
    std::vector<float> panel(3 * 4, -1.0F);
    pack_panel({numbers.data(), 3, depth_contiguous, 3, 3}, 2, 4, 0, 3, panel.data());
    for (std::size_t d = 0; d < 3; ++d) {
      const auto at = static_cast<float>(d);
      EXPECT_EQ(panel[4 * d], depth_contiguous ? 200 + at : 100 * at + 2);
      for (std::size_t j = 1; j < 4; ++j) EXPECT_EQ(panel[4 * d + j], 0.0F) << d << " " << j;
    }
  }
}

// Rows of two parts of three numbers; a panel's columns begin and end within parts.
TEST(VectorPanel, RowsMayBeMadeOfOthers) {
  const std::vector<float> rows = numbered(4, 3);
  const std::vector<std::int32_t> seen = {0, 1, -1, 3};
  std::vector<float> panel(2 * 5, -1.0F);
  pack_panel({rows.data(), 3, false, 6, 2, seen.data(), 2, 3}, 2, 5, 0, 2, panel.data());
  EXPECT_EQ(panel, (std::vector<float>{2, 100, 101, 102, 0, 0, 300, 301, 302, 0}));
}

// Within the factor, and at its end.
TEST(VectorPanel, FactorsOfSixteenBitsAreWidened) {
  const Tensor numbers = random_tensor({41, 37}, 1);
  for (const DType type : {DType::f16, DType::bf16}) {
    const Tensor stored = cast_to(type, numbers), wide = cast_to(DType::f32, stored);
    for (const bool depth_contiguous : {false, true}) {
      const std::int64_t lines = depth_contiguous ? 41 : 37, depth = depth_contiguous ? 37 : 41;
      Factor low{stored.cview().data, 37, depth_contiguous, lines, depth};
      low.type = type;
      for (const std::int64_t column : {3, 24}) {
        std::vector<float> panel(21 * 24, -1.0F), expected(21 * 24, -2.0F);
        pack_panel(low, column, 24, 5, 21, panel.data());
        pack_panel({wide.cview().data, 37, depth_contiguous, lines, depth}, column, 24, 5, 21,
                   expected.data());
        EXPECT_EQ(panel, expected) << column;
      }
    }
  }
}

}  // namespace
}  // namespace weft::cpu
