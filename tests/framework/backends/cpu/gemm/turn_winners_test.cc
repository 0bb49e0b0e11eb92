#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

#include "framework/backends/cpu/gemm/vector_unit.h"

namespace weft::cpu {
namespace {

constexpr std::int64_t kBeside = 5;

struct Shape {
  std::int64_t rows, groups, pieces;
};

// Every number of d is another one, so that it tells where it comes from.
struct Block {
  explicit Block(const Shape& shape)
      : shape(shape),
        stride(shape.rows + kBeside),
        turned(static_cast<std::size_t>(shape.groups * stride), -1.0F),
        won(static_cast<std::size_t>(shape.groups * shape.pieces)) {
    for (std::int64_t i = 0; i < shape.rows * shape.groups; ++i) {
      d.push_back(static_cast<float>(i) + 0.5F);
      winners.push_back(static_cast<std::uint8_t>((i * i + i / 7) % shape.pieces));
    }
  }
  void run(const VectorUnit& unit, std::int64_t word = 0) {
    unit.turn_winners({.d = d.data(),
                       .winners = winners.data(),
                       .rows = shape.rows,
                       .groups = shape.groups,
                       .pieces = shape.pieces,
                       .turned = turned.data(),
                       .turned_stride = stride,
                       .won = won.data(),
                       .word = word});
  }
  // Where there is no row, nothing was written, and no bit is set.
  void expect_turned(std::int64_t word = 0) const {
    for (std::int64_t group = 0; group < shape.groups; ++group) {
      for (std::int64_t bit = 0; bit < kMostWonRows; ++bit) {
        expect_row(group, bit - word * kRowsOfWord, bit);
      }
    }
  }

  Shape shape;
  std::int64_t stride;
  std::vector<float> d, turned;
  std::vector<std::uint8_t> winners;
  std::vector<RowBits> won;

 private:
  void expect_row(std::int64_t group, std::int64_t row, std::int64_t bit) const {
    const bool is_there = row >= 0 && row < shape.rows;
    const auto at = static_cast<std::size_t>(is_there ? row * shape.groups + group : 0);
    if (row >= 0 && row < stride) {
      ASSERT_EQ(turned[static_cast<std::size_t>(group * stride + row)], is_there ? d[at] : -1.0F)
          << "group " << group << ", row " << row;
    }
    for (std::int64_t piece = 0; piece < shape.pieces; ++piece) {
      const RowBits& bits = won[static_cast<std::size_t>(group * shape.pieces + piece)];
      const bool is_set = (bits.words[bit / kRowsOfWord] >> bit % kRowsOfWord & 1U) == 1;
      ASSERT_EQ(is_set, is_there && winners[at] == piece)
          << "group " << group << ", row " << row << ", piece " << piece;
    }
  }
};

class TurnWinnersTest : public testing::TestWithParam<std::size_t> {
 protected:
  void SetUp() override {
    if (vector_units().size() <= GetParam()) GTEST_SKIP() << "this machine has no such unit";
  }
};

TEST_P(TurnWinnersTest, GivesEachGroupItsNumbersAndItsRows) {
  for (const Shape& shape : {Shape{1, 1, 3}, Shape{16, 16, 3}, Shape{17, 33, 3}, Shape{96, 96, 3},
                             Shape{128, 20, 4}, Shape{65, 31, 5}, Shape{127, 48, 2}}) {
    SCOPED_TRACE(testing::Message() << shape.rows << " rows, " << shape.groups << " groups");
    Block block(shape);
    block.run(vector_units()[GetParam()]);
    block.expect_turned();
  }
}

TEST_P(TurnWinnersTest, BlocksShareTheBitsWordByWord) {
  for (const std::int64_t rows : {16, 50, 64}) {
    Block block({rows, 20, 3});
    block.run(vector_units()[GetParam()], 1);
    block.expect_turned(1);
  }
}

INSTANTIATE_TEST_SUITE_P(Units, TurnWinnersTest, testing::Values(0, 1));

}  // namespace
}  // namespace weft::cpu
