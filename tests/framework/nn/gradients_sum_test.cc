// Sums of gradients are made in one order, whatever is added up first.
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "framework/nn/gradients.h"
#include "tests/framework/nn/sample_gradients.h"

namespace weft {
namespace {

TEST(Gradients, AddsOthersInTheirOrder) {
  const Parameter dense = sample_parameter(1), table = sample_parameter(9),
                  untouched = sample_parameter(1);
  Gradients sum, first, second;
  // In f32 the order shows: (1 + 1e8) - 1e8 is 0, 1 + (1e8 - 1e8) is 1.
  sum.of(dense).data<float>()[0] = 1.0F;
  first.of(dense).data<float>()[0] = 1e8F;
  second.of(dense).data<float>()[0] = -1e8F;
  add_row(first, table, 7, 2.0F);
  add_row(second, table, 3, 5.0F);
  add_row(second, table, 7, 3.0F);
  const Gradients* const others[] = {&first, &second};
  sum.add(others);
  EXPECT_EQ(sum.of(dense).data<float>()[0], 0.0F);
  const Tensor* whole = sum.find(table);
  ASSERT_NE(whole, nullptr);
  EXPECT_EQ(whole->data<float>()[14], 5.0F);
  EXPECT_EQ(whole->data<float>()[6], 5.0F);
  EXPECT_EQ(whole->data<float>()[0], 0.0F);
  EXPECT_EQ(sum.find(untouched), nullptr);
}

// ((1 + 1e8) - 1e8) + 1 is 1 in f32, (1 + 1e8) + (-1e8 + 1) is 0.
TEST(Gradients, AddsManyAsATree) {
  const Parameter dense = sample_parameter(3000), table = sample_parameter(9);
  const float numbers[] = {1.0F, 1e8F, -1e8F, 1.0F};
  Gradients all[4];
  for (int i = 0; i < 4; ++i) {
    all[i].of(dense).data<float>()[5999] = numbers[i];
    add_row(all[i], table, 7, numbers[i]);
  }
  const Gradients* const others[] = {&all[1], &all[2], &all[3]};
  all[0].add(others);
  EXPECT_EQ(all[0].of(dense).data<float>()[5999], 0.0F);
  EXPECT_EQ(all[0].find(table)->data<float>()[14], 0.0F);
}

// Gradients of shards, some of which lack a parameter or rows of a table.
class ShardGradients {
 public:
  explicit ShardGradients(std::size_t count) : all_(count) {
    std::uint32_t state = 7;
    const auto next = [&] { return state = state * 1664525U + 1013904223U; };
    const auto number = [&] { return static_cast<float>(next() >> 8U) * 1e-3F - 8000.0F; };
    for (std::size_t i = 0; i < count; ++i) {
      if (i % 5 != 2) {
        Tensor& to = all_[i].of(dense_);
        for (std::int64_t j = 0; j < to.size(); ++j) to.data<float>()[j] = number();
      }
      if (i % 4 == 1) continue;
      for (int rows = 0; rows < 6; ++rows) {
        add_row(all_[i], table_, static_cast<std::int32_t>(next() >> 16U) % 20, number());
      }
    }
  }

  // The sum over [begin, end) is left in the first of them, and the others are empty.
  void add(std::size_t begin, std::size_t end) {
    std::vector<const Gradients*> others;
    for (std::size_t i = begin + 1; i < end; ++i) others.push_back(&all_[i]);
    all_[begin].add(others);
    for (std::size_t i = begin + 1; i < end; ++i) all_[i].clear();
  }
  std::vector<float> sum() {
    add(0, all_.size());
    std::vector<float> result;
    for (const Parameter* parameter : {&dense_, &table_}) {
      const auto numbers = all_[0].numbers(*parameter);
      result.insert(result.end(), numbers.begin(), numbers.end());
    }
    for (const std::int32_t row : all_[0].find_rows(table_)->rows()) {
      result.push_back(static_cast<float>(row));
    }
    return result;
  }

 private:
  Parameter dense_ = sample_parameter(700), table_ = sample_parameter(20);
  std::vector<Gradients> all_;
};

// As a rank adds them up before it sends its gradients.
TEST(Gradients, WholeSubtreesMayBeAddedFirst) {
  const std::vector<float> eight = ShardGradients(8).sum(), seven = ShardGradients(7).sum();
  for (const auto& [begin, end] : {std::pair(0, 4), std::pair(2, 4), std::pair(4, 8)}) {
    ShardGradients shards(8);
    shards.add(static_cast<std::size_t>(begin), static_cast<std::size_t>(end));
    EXPECT_EQ(shards.sum(), eight) << begin << " to " << end;
  }
  ShardGradients some(7);
  some.add(0, 4);
  some.add(4, 7);
  EXPECT_EQ(some.sum(), seven);
}

TEST(Gradients, SumsOfTheNextStepHoldNothingOfTheLast) {
  const Parameter dense = sample_parameter(1), table = sample_parameter(9);
  Gradients sum;
  for (const float value : {7.0F, 2.0F}) {
    Gradients first, second;
    first.of(dense).data<float>()[0] = value;
    second.of(dense).data<float>()[1] = value;
    add_row(first, table, 5, value);
    add_row(second, table, 5, value);
    add_row(second, table, 2, value);
    const Gradients* const others[] = {&first, &second};
    sum.clear();
    sum.add(others);
    EXPECT_EQ(sum.of(dense).data<float>()[0], value);
    EXPECT_EQ(sum.of(dense).data<float>()[1], value);
    const Tensor* whole = sum.find(table);
    EXPECT_EQ(whole->data<float>()[10], 2 * value);
    EXPECT_EQ(whole->data<float>()[4], value);
    EXPECT_EQ(whole->data<float>()[11], 0.0F);
  }
}

}  // namespace
}  // namespace weft
