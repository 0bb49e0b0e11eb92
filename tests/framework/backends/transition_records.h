// Records of the parsers' kernels in training, on the host, and those of a device beside the CPU's.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "framework/ops/transition_steps.h"
#include "tests/framework/backends/device_under_test.h"

namespace weft {

struct Record {
  std::vector<float> hidden, d_scores;
  std::vector<std::uint8_t> winners;
  std::vector<std::int32_t> features, classes, state;
  std::size_t rows = 0;
  double loss = 0.0;
};

// With contents that no kernel may leave in a row that no parse reaches.
inline TransitionRecord empty_record(Bench& bench, const ScorerShape& shape, std::size_t rows) {
  const auto count = [&](int width) { return rows * static_cast<std::size_t>(width); };
  TransitionRecord record;
  record.hidden = bench.put_array(std::vector<float>(count(shape.hidden), 7.0F));
  record.winners = bench.put_array(std::vector<std::uint8_t>(count(shape.hidden), 7));
  record.features = bench.put_array(std::vector<std::int32_t>(count(shape.features), 7));
  record.d_scores = bench.put_array(std::vector<float>(count(shape.classes), 7.0F));
  record.classes = bench.put_array(std::vector<std::int32_t>(rows));
  record.state = bench.put_array(std::vector<std::int32_t>(rows));
  record.loss = bench.put_array(std::vector<double>{7.0});
  return record;
}

inline Record read_record(Bench& bench, const ScorerShape& shape, const TransitionRecord& record,
                          std::size_t rows) {
  const auto count = [&](int width) { return rows * static_cast<std::size_t>(width); };
  Record result;
  result.hidden = bench.get_array(record.hidden, count(shape.hidden));
  result.winners = bench.get_array(record.winners, count(shape.hidden));
  result.features = bench.get_array(record.features, count(shape.features));
  result.d_scores = bench.get_array(record.d_scores, count(shape.classes));
  result.classes = bench.get_array(record.classes, rows);
  result.state = bench.get_array(record.state, rows);
  result.rows = static_cast<std::size_t>(record.rows);
  result.loss = bench.get_array(record.loss, 1)[0];
  return result;
}

// `width` numbers of one row of an array.
template <class T>
std::vector<T> row_of(const std::vector<T>& numbers, std::size_t row, int width) {
  const auto first = numbers.begin() + static_cast<std::ptrdiff_t>(row) * width;
  return {first, first + width};
}

inline void expect_near(const std::vector<float>& found, const std::vector<float>& expected,
                        double allowed, const std::string& what) {
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    ASSERT_NEAR(found[i], expected[i], allowed) << what << " " << i;
  }
}

// Row for row. The CPU leaves out what a parse does not reach that ends early; there the device has
// rows without a gradient.
inline void expect_same(const ScorerShape& shape, const std::vector<std::int32_t>& round_begin,
                        const Record& found, const Record& expected, double hidden,
                        const std::string& what) {
  std::map<std::int32_t, std::size_t> rounds;  // of a state, so far
  const auto rows = static_cast<std::size_t>(round_begin.back());
  std::vector<bool> filled(rows);
  for (std::size_t r = 0; r < expected.rows; ++r) {
    const std::int32_t state = expected.state[r];
    const std::size_t at = static_cast<std::size_t>(round_begin[rounds[state]++] + state);
    filled[at] = true;
    ASSERT_EQ(found.state[at], state) << what;
    ASSERT_EQ(found.classes[at], expected.classes[r]) << what;
    ASSERT_EQ(row_of(found.features, at, shape.features),
              row_of(expected.features, r, shape.features))
        << what;
    ASSERT_EQ(row_of(found.winners, at, shape.hidden), row_of(expected.winners, r, shape.hidden));
    expect_near(row_of(found.hidden, at, shape.hidden), row_of(expected.hidden, r, shape.hidden),
                hidden, what + " hidden");
    expect_near(row_of(found.d_scores, at, shape.classes),
                row_of(expected.d_scores, r, shape.classes), 2e-5, what + " gradient");
  }
  for (std::size_t r = 0; r < rows; ++r) {
    if (filled[r]) continue;
    for (const float d : row_of(found.d_scores, r, shape.classes)) ASSERT_EQ(d, 0.0F) << what;
  }
  EXPECT_NEAR(found.loss, expected.loss, 1e-5 * std::max(1.0, expected.loss)) << what;
}

}  // namespace weft
