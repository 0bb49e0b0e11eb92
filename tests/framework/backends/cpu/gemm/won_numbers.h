// Rows and their winners, for the tests of sums over rows that an output won.
#pragma once

#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

#include "framework/backends/cpu/gemm/vector_unit.h"

namespace weft::cpu {

struct WonShape {
  std::int64_t rows, groups, pieces, columns;
  std::int64_t second_word = kRowsOfWord;
};

// Which output wins a row changes from group to group; of many pieces some win none.
class WonNumbers {
 public:
  static constexpr std::int64_t kBeside = 3;
  static constexpr float kBefore = 0.5F;

  explicit WonNumbers(const WonShape& shape)
      : shape(shape),
        sums(static_cast<std::size_t>(outputs() * sums_stride()), kBefore),
        won_(static_cast<std::size_t>(outputs())) {
    for (std::int64_t group = 0; group < shape.groups; ++group) {
      for (std::int64_t row = 0; row < shape.rows; ++row) {
        const std::int64_t spread = 1 + (group * group + row * 7) % (3 + group);
        winners_.push_back(spread % shape.pieces);
        RowBits& bits = won_[static_cast<std::size_t>(group * shape.pieces + winners_.back())];
        const std::size_t word = row < shape.second_word ? 0 : 1;
        const std::int64_t bit = row - (word == 0 ? 0 : shape.second_word);
        bits.words[word] |= std::uint64_t{1} << bit;
      }
    }
  }

  std::int64_t outputs() const { return shape.groups * shape.pieces; }
  std::int64_t sums_stride() const { return shape.columns + kBeside; }

  // d: (groups, rows). x: (rows, kMostSumColumns), whose places go to `rows`.
  template <class Number>
  WonSums<Number> of(const std::vector<float>& d, const std::vector<Number>& x,
                     std::vector<const Number*>& rows, bool is_uninitialised) {
    for (std::int64_t row = 0; row < shape.rows; ++row) {
      rows.push_back(x.data() + row * kMostSumColumns);
    }
    return {.d = d.data(),
            .d_stride = shape.rows,
            .won = won_.data(),
            .second_word = shape.second_word,
            .groups = shape.groups,
            .pieces = shape.pieces,
            .x = rows.data(),
            .sums = sums.data(),
            .sums_stride = sums_stride(),
            .columns = shape.columns,
            .is_uninitialised = is_uninitialised};
  }

  // expected(output, column, before): what becomes of `before`. Beside the columns nothing changes.
  template <class Expected>
  void expect_sums(bool is_uninitialised, Expected expected) const {
    for (std::int64_t output = 0; output < outputs(); ++output) {
      for (std::int64_t j = 0; j < sums_stride(); ++j) {
        const bool is_there = j < shape.columns;
        const float before = is_there && is_uninitialised ? 0.0F : kBefore;
        ASSERT_EQ(sums[static_cast<std::size_t>(output * sums_stride() + j)],
                  is_there ? expected(output, j, before) : before)
            << shape.rows << " rows, " << shape.groups << " groups, " << shape.columns
            << " columns, output " << output << ", column " << j;
      }
    }
  }

  bool has_won(std::int64_t output, std::int64_t row) const {
    const std::int64_t group = output / shape.pieces;
    return winners_[static_cast<std::size_t>(group * shape.rows + row)] == output % shape.pieces;
  }

  WonShape shape;
  std::vector<float> sums;

 private:
  std::vector<RowBits> won_;
  std::vector<std::int64_t> winners_;
};

}  // namespace weft::cpu
