#include "framework/training/shuffle_window.h"

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "framework/text/example.h"
#include "framework/training/example_streams.h"

namespace weft {
namespace {

class ShuffleWindowTest : public ::testing::Test {
 protected:
  // Examples with the numbers 1 ... count; `taken_` counts those that were asked for.
  ExampleStreamPtr source(int count) {
    taken_ = 0;
    return numbered(stream_of([this, count]() -> ExamplePtr {
      if (taken_ == count) return nullptr;
      ++taken_;
      return std::make_shared<Example>(Example::from_reference(Doc::from_words(vocab_, {"x"})));
    }));
  }
  std::vector<std::int64_t> order(int count, std::size_t window, std::uint64_t seed,
                                  std::int64_t epoch) {
    const ExampleStreamPtr stream = shuffled_in_window(source(count), window, seed, epoch);
    std::vector<std::int64_t> numbers;
    int given = 0;
    while (const ExamplePtr example = stream->next()) {
      numbers.push_back(example->number());
      ++given;
      EXPECT_LE(taken_ - given, static_cast<int>(window)) << "more than the window is held";
    }
    EXPECT_EQ(stream->next(), nullptr) << "the end stays the end";
    return numbers;
  }

  std::shared_ptr<const Vocab> vocab_ = std::make_shared<const Vocab>("xx");
  int taken_ = 0;
};

TEST_F(ShuffleWindowTest, GivesEveryExampleOnce) {
  for (const int count : {0, 1, 5, 100}) {
    for (const std::size_t window : {1u, 7u, 1000u}) {
      std::vector<std::int64_t> numbers = order(count, window, 3, 0);
      std::sort(numbers.begin(), numbers.end());
      ASSERT_EQ(numbers.size(), static_cast<std::size_t>(count));
      for (int i = 0; i < count; ++i) EXPECT_EQ(numbers[static_cast<std::size_t>(i)], i + 1);
    }
  }
}

TEST_F(ShuffleWindowTest, SeedAndPassDecideTheOrder) {
  const auto first = order(100, 20, 3, 0);
  EXPECT_EQ(first, order(100, 20, 3, 0));
  EXPECT_NE(first, order(100, 20, 3, 1));
  EXPECT_NE(first, order(100, 20, 4, 0));
}

TEST_F(ShuffleWindowTest, AWindowOfOneKeepsTheOrder) {
  const auto numbers = order(10, 1, 3, 0);
  EXPECT_TRUE(std::is_sorted(numbers.begin(), numbers.end()));
}

TEST_F(ShuffleWindowTest, WhatComesFirstIsDrawnEvenly) {
  std::map<std::int64_t, int> first;
  for (std::int64_t epoch = 0; epoch < 2000; ++epoch) ++first[order(20, 10, 1, epoch).front()];
  ASSERT_EQ(first.size(), 10u) << "one of the window";
  for (const auto& [number, count] : first) {
    EXPECT_GE(count, 140) << number;  // 200 are expected, 13 is one deviation
    EXPECT_LE(count, 260) << number;
  }
}

}  // namespace
}  // namespace weft
