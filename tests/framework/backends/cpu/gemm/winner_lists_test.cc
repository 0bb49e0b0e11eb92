#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

#include "framework/backends/cpu/gemm/vector_unit.h"

namespace weft::cpu {
namespace {

constexpr std::int64_t kRowStride = 96;

struct Shape {
  std::int64_t rows, groups, pieces;
};

// Every number of d is another one, so that a term tells where it comes from.
struct Lists {
  explicit Lists(const Shape& shape)
      : shape(shape),
        list_stride(shape.rows + kTermsBehind),
        terms(static_cast<std::size_t>(shape.groups * shape.pieces * list_stride)),
        counts(static_cast<std::size_t>(shape.groups * shape.pieces), -1) {
    for (std::int64_t i = 0; i < shape.rows * shape.groups; ++i) {
      d.push_back(static_cast<float>(i) + 0.5F);
      winners.push_back(static_cast<std::uint8_t>((i * i + i / 7) % shape.pieces));
    }
  }
  void run(const VectorUnit& unit) {
    unit.list_winners({.d = d.data(),
                       .winners = winners.data(),
                       .rows = shape.rows,
                       .groups = shape.groups,
                       .pieces = shape.pieces,
                       .row_stride = kRowStride,
                       .lists = terms.data(),
                       .list_stride = list_stride,
                       .counts = counts.data()});
  }
  std::vector<RowTerm> list(std::int64_t output) const {
    const auto* first = terms.data() + output * list_stride;
    return {first, first + counts[static_cast<std::size_t>(output)]};
  }
  std::vector<RowTerm> expected(std::int64_t output) const {
    std::vector<RowTerm> result;
    for (std::int64_t i = 0; i < shape.rows; ++i) {
      const auto at = static_cast<std::size_t>(i * shape.groups + output / shape.pieces);
      if (winners[at] != output % shape.pieces) continue;
      result.push_back(row_term(d[at], static_cast<std::int32_t>(i * kRowStride)));
    }
    return result;
  }

  Shape shape;
  std::int64_t list_stride;
  std::vector<float> d;
  std::vector<std::uint8_t> winners;
  std::vector<RowTerm> terms;
  std::vector<std::int32_t> counts;
};

class WinnerListsTest : public testing::TestWithParam<std::size_t> {
 protected:
  void SetUp() override {
    if (vector_units().size() <= GetParam()) GTEST_SKIP() << "this machine has no such unit";
  }
};

TEST_P(WinnerListsTest, HoldsTheRowsOfEachPieceInOrder) {
  for (const Shape& shape : {Shape{1, 1, 3}, Shape{16, 16, 3}, Shape{17, 33, 3}, Shape{96, 96, 3},
                             Shape{128, 20, 4}, Shape{150, 31, 5}, Shape{300, 48, 2}}) {
    Lists lists(shape);
    lists.run(vector_units()[GetParam()]);
    for (std::int64_t output = 0; output < shape.groups * shape.pieces; ++output) {
      ASSERT_EQ(lists.list(output), lists.expected(output))
          << shape.rows << " rows, " << shape.groups << " groups, output " << output;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Units, WinnerListsTest, testing::Values(0, 1));

}  // namespace
}  // namespace weft::cpu
