#include "framework/backends/cpu/gemm/window_filter.h"

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "framework/backends/cpu/gemm/vector_unit.h"
#include "tests/framework/ops/random_tensor.h"

namespace weft::cpu {
namespace {

// Six rows and the weights of some columns, by the filter of a unit.
struct Tile {
  Tile(std::int64_t width, std::int64_t columns)
      : width(width),
        columns(columns),
        rows(random_tensor({kRowsOfTile, width}, 1)),
        weights(random_tensor({kRowsOfWindow, width, columns}, 2)),
        bias(random_tensor({columns}, 3)) {}

  // Rows of z lie 3 further apart than they have to; numbers that are not written are 7.
  std::vector<float> filter(const VectorUnit& unit, std::int64_t windows) const {
    std::vector<float> factors(static_cast<std::size_t>(kRowsOfTile * width));
    FilteredRows of{.width = width, .to = factors.data(), .part = width};
    for (std::int64_t i = 0; i < kRowsOfTile; ++i) of.rows[i] = rows.data<float>() + i * width;
    unit.filter_rows(of);

    const std::int64_t part = width * columns;
    std::vector<float> parts(static_cast<std::size_t>(kRowsOfTile * part));
    std::copy_n(weights.data<float>(), weights.size(), parts.begin());
    unit.filter_weights(parts.data(), part);

    std::vector<float> sums(static_cast<std::size_t>(kRowsOfTile * columns));
    for (std::int64_t k = 0; k < kRowsOfTile; ++k) {
      for (std::int64_t d = 0; d < width; ++d) {
        for (std::int64_t j = 0; j < columns; ++j) {
          sums[at(k * columns + j)] +=
              factors[at(k * width + d)] * parts[at(k * part + d * columns + j)];
        }
      }
    }
    std::vector<float> z(static_cast<std::size_t>(kWindowsOfTile * (columns + 3)), 7.0F);
    unit.filter_sums({.sums = sums.data(),
                      .part = columns,
                      .bias = bias.data<float>(),
                      .z = z.data(),
                      .z_stride = columns + 3,
                      .windows = windows,
                      .columns = columns});
    return z;
  }

  double window(std::int64_t i, std::int64_t j) const {
    double sum = bias.data<float>()[j];
    for (std::int64_t k = 0; k < kRowsOfWindow * width; ++k) {
      sum += double{rows.data<float>()[i * width + k]} * weights.data<float>()[k * columns + j];
    }
    return sum;
  }

  static std::size_t at(std::int64_t i) { return static_cast<std::size_t>(i); }

  std::int64_t width, columns;
  Tensor rows, weights, bias;
};

// The processor's units: vectors of both lengths where there are both.
class WindowFilter : public testing::Test {
 protected:
  void SetUp() override {
    if (vector_units().empty()) GTEST_SKIP() << "this machine has no vector unit";
  }
};

// Whole vectors, and all numbers that may be left.
TEST_F(WindowFilter, EqualsWindowsInDouble) {
  for (const VectorUnit& unit : vector_units()) {
    for (std::int64_t size = 1; size <= 50; ++size) {
      const Tile tile(size, 51 - size);
      const std::vector<float> z = tile.filter(unit, kWindowsOfTile);
      for (std::int64_t i = 0; i < kWindowsOfTile; ++i) {
        for (std::int64_t j = 0; j < tile.columns; ++j) {
          ASSERT_NEAR(z[Tile::at(i * (tile.columns + 3) + j)], tile.window(i, j),
                      2e-6 * std::sqrt(size))
              << unit.name << ", width " << size << ", window " << i << ", column " << j;
        }
      }
    }
  }
}

TEST_F(WindowFilter, WritesTheWindowsThatAreThereAndNothingElse) {
  const Tile tile(20, 21);
  for (const VectorUnit& unit : vector_units()) {
    const std::vector<float> all = tile.filter(unit, kWindowsOfTile);
    for (std::int64_t windows = 1; windows <= kWindowsOfTile; ++windows) {
      const std::vector<float> z = tile.filter(unit, windows);
      for (std::int64_t i = 0; i < static_cast<std::int64_t>(z.size()); ++i) {
        const bool is_there =
            i / (tile.columns + 3) < windows && i % (tile.columns + 3) < tile.columns;
        ASSERT_EQ(z[Tile::at(i)], is_there ? all[Tile::at(i)] : 7.0F)
            << unit.name << ", " << windows << " windows, number " << i;
      }
    }
  }
}

// Vectors of any length round alike.
TEST_F(WindowFilter, UnitsGiveTheSameBytes) {
  const Tile tile(96, 48);
  const std::vector<float> first = tile.filter(vector_units().front(), kWindowsOfTile);
  for (const VectorUnit& unit : vector_units()) {
    EXPECT_EQ(tile.filter(unit, kWindowsOfTile), first) << unit.name;
  }
}

// Points near one keep the error of these sums near that of sums one by one: half as much again at
// most, where +-1 and +-2 would give twice as much.
TEST_F(WindowFilter, RoundsLittleMoreThanPlainSums) {
  const Tile tile(96, 480);
  double filtered = 0.0, plain = 0.0;
  const std::vector<float> z = tile.filter(vector_units().front(), kWindowsOfTile);
  for (std::int64_t i = 0; i < kWindowsOfTile; ++i) {
    for (std::int64_t j = 0; j < tile.columns; ++j) {
      float sum = tile.bias.data<float>()[j];
      for (std::int64_t k = 0; k < kRowsOfWindow * tile.width; ++k) {
        sum = std::fma(tile.rows.data<float>()[i * tile.width + k],
                       tile.weights.data<float>()[k * tile.columns + j], sum);
      }
      const double exact = tile.window(i, j);
      plain += std::pow(sum - exact, 2);
      filtered += std::pow(z[Tile::at(i * (tile.columns + 3) + j)] - exact, 2);
    }
  }
  EXPECT_LT(std::sqrt(filtered), 1.5 * std::sqrt(plain));
}

}  // namespace
}  // namespace weft::cpu
