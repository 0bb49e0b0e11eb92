#include "framework/nn/parameter.h"

#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "framework/precision/element_type.h"

namespace weft {
namespace {

Parameter array(std::int64_t rows) {
  return {"W", Tensor::zeros({rows, 2}), 0};
}

void add_row(Gradients& gradients, const Parameter& table, std::int32_t row, float value) {
  std::vector<std::int32_t> rows{row};
  const View to = gradients.rows_of(table).touch(rows);
  to.row<float>(rows[0])[0] += value;
}

TEST(Gradients, AddsOthersInTheirOrder) {
  const Parameter dense = array(1), table = array(9), untouched = array(1);
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
  const Parameter dense = array(3000), table = array(9);
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
  Parameter dense_ = array(700), table_ = array(20);
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

TEST(Gradients, RowsOfAnEarlierStepAreGone) {
  const Parameter table = array(4);
  Gradients gradients;
  add_row(gradients, table, 1, 1.0F);
  static_cast<void>(gradients.find(table));
  gradients.clear();
  add_row(gradients, table, 2, 4.0F);
  const Tensor* whole = gradients.find(table);
  EXPECT_EQ(whole->data<float>()[2], 0.0F);
  EXPECT_EQ(whole->data<float>()[4], 4.0F);
}

TEST(Gradients, AreEmptyUntilAskedForAndAfterClear) {
  const Parameter dense = array(1);
  Gradients gradients;
  EXPECT_TRUE(gradients.empty());
  gradients.of(dense);
  EXPECT_FALSE(gradients.empty());
  gradients.clear();
  EXPECT_TRUE(gradients.empty());
}

TEST(Gradients, ArraysOfAnEarlierStepAreZerosAgain) {
  const Parameter dense = array(2);
  Gradients gradients;
  gradients.of(dense).data<float>()[3] = 2.0F;
  gradients.clear();
  EXPECT_EQ(gradients.find(dense), nullptr);
  EXPECT_EQ(gradients.of(dense).data<float>()[3], 0.0F);
  gradients.of(dense).data<float>()[3] = 3.0F;  // asked for again within the step: added to
  EXPECT_EQ(gradients.of(dense).data<float>()[3], 3.0F);
}

TEST(Gradients, AreFreshUntilSomebodyHasAddedToThem) {
  Parameter dense = array(1);
  Gradients gradients;
  const Gradients::Accumulator first = gradients.accumulator_of(dense);
  EXPECT_TRUE(first.is_uninitialised);
  EXPECT_EQ(first.beta(), 0.0F);
  first.array.data<float>()[0] = 4.0F;
  first.array.data<float>()[1] = 5.0F;
  const Gradients::Accumulator second = gradients.accumulator_of(dense);
  EXPECT_FALSE(second.is_uninitialised);
  EXPECT_EQ(second.beta(), 1.0F);
  EXPECT_EQ(second.array.data<float>()[0], 4.0F);
  EXPECT_EQ(gradients.of(dense).data<float>()[1], 5.0F);
  gradients.clear();
  EXPECT_TRUE(gradients.empty());
  gradients.of(dense);
  EXPECT_FALSE(gradients.accumulator_of(dense).is_uninitialised);  // zeros were asked for
  dense.value = Tensor::zeros({3, 2});                             // the layer grew
  EXPECT_TRUE(gradients.accumulator_of(dense).is_uninitialised);
}

TEST(Gradients, SumsOfTheNextStepHoldNothingOfTheLast) {
  const Parameter dense = array(1), table = array(9);
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

// Sets the numbers of an array of any type.
void fill(Tensor& to, std::vector<float> numbers) {
  cast_rows(ConstView(numbers.data(), DType::f32, to.shape()), to.view());
}

TEST(LowGradients, TakeTwoBytesForANumberAndAreReadAsF32) {
  const Parameter dense = array(4), table = array(6);
  Gradients wide, low;
  low.keep_as(DType::f16);
  for (Gradients* gradients : {&wide, &low}) {
    fill(gradients->of(dense), {1, 2, 3, 4, 5, 6, 7, 8});
    std::vector<std::int32_t> rows{5};
    cast_rows(Tensor::from<float>({1, 2}, {0.5F, 0.25F}), gradients->rows_of(table).touch(rows));
  }
  EXPECT_EQ(low.of(dense).dtype(), DType::f16);
  EXPECT_EQ(wide.bytes(), 10 * sizeof(float));
  EXPECT_EQ(low.bytes(), 10 * sizeof(std::uint16_t));
  EXPECT_EQ(low.find(dense)->data<float>()[7], 8.0F);
  EXPECT_EQ(low.find(table)->data<float>()[11], 0.25F);
}

TEST(LowGradients, SumsOfSeveralShardsAreRoundedOnce) {
  const Parameter dense = array(1), table = array(3);
  Gradients sum, first, second;
  for (Gradients* one : {&sum, &first, &second}) one->keep_as(DType::f16);
  fill(sum.of(dense), {2048.0F, 1.0F});
  fill(first.of(dense), {1.0F, 1.0F});  // alone it would be lost: 2049 is a tie, which goes to 2048
  fill(second.of(dense), {1.0F, 1.0F});
  std::vector<std::int32_t> rows{2};
  cast_rows(Tensor::from<float>({1, 2}, {3.0F, 4.0F}), first.rows_of(table).touch(rows));
  rows = {2};
  cast_rows(Tensor::from<float>({1, 2}, {0.5F, 65504.0F}), second.rows_of(table).touch(rows));
  const Gradients* const others[] = {&first, &second};
  sum.add(others);
  EXPECT_EQ(sum.find(dense)->data<float>()[0], 2050.0F);
  EXPECT_EQ(sum.find(dense)->data<float>()[1], 3.0F);
  EXPECT_EQ(sum.find(table)->data<float>()[4], 3.5F);
  EXPECT_EQ(sum.find(table)->data<float>()[5], 65504.0F);  // 4 is below half of a last place
}

TEST(LowGradients, AreScaledWhereTheyAreReadSoThatSmallOnesSurvive) {
  const Parameter dense = array(1), table = array(2);
  Gradients gradients;
  gradients.keep_as(DType::f16);
  fill(gradients.of(dense), {0x1p-10F, 1.0F});
  std::vector<std::int32_t> rows{1};
  cast_rows(Tensor::from<float>({1, 2}, {2.0F, 4.0F}), gradients.rows_of(table).touch(rows));
  gradients.scale(0x1p-16F);
  EXPECT_EQ(gradients.factor(), 0x1p-16F);
  EXPECT_EQ(gradients.find(dense)->data<float>()[0], 0x1p-26F);  // no number of fp16
  EXPECT_EQ(gradients.find(table)->data<float>()[2], 0x1p-15F);
  // To be changed in place they become f32, until the next step.
  const std::span<float> numbers = gradients.numbers(dense);
  EXPECT_EQ(numbers[0], 0x1p-26F);
  numbers[0] = 0x1p-30F;
  EXPECT_EQ(gradients.find(dense)->data<float>()[0], 0x1p-30F);
  EXPECT_EQ(gradients.numbers(table)[1], 0x1p-14F);
  EXPECT_EQ(gradients.find(table)->data<float>()[3], 0x1p-14F);
  gradients.clear();
  EXPECT_EQ(gradients.of(dense).dtype(), DType::f16);
  EXPECT_EQ(gradients.rows_of(table).type(), DType::f16);
  EXPECT_EQ(gradients.factor(), 1.0F);
  EXPECT_EQ(gradients.find(dense)->data<float>()[0], 0.0F);
}

TEST(Gradients, RememberThatScaledOnesWereRead) {
  const Parameter dense = array(1);
  Gradients gradients;
  gradients.of(dense);
  static_cast<void>(gradients.find(dense));
  EXPECT_FALSE(gradients.take_early_read());
  gradients.mark_scaled(true);
  gradients.of(dense);  // to add is no reading
  EXPECT_FALSE(gradients.take_early_read());
  static_cast<void>(gradients.find(dense));
  EXPECT_TRUE(gradients.take_early_read());
  EXPECT_FALSE(gradients.take_early_read());
  static_cast<void>(gradients.numbers(dense));
  EXPECT_TRUE(gradients.take_early_read());
  gradients.clear();
  static_cast<void>(gradients.find(dense));
  EXPECT_FALSE(gradients.take_early_read());
}

TEST(Gradients, ScaleReachesArraysAndRows) {
  const Parameter dense = array(1), table = array(3);
  Gradients gradients;
  gradients.of(dense).data<float>()[1] = 3.0F;
  add_row(gradients, table, 2, 8.0F);
  gradients.scale(0.5F);
  EXPECT_EQ(gradients.find(dense)->data<float>()[1], 1.5F);
  EXPECT_EQ(gradients.find(table)->data<float>()[4], 4.0F);
}

}  // namespace
}  // namespace weft
