// Sums of chosen rows against the dense GEMM, zeros included, whatever this machine's kernel is.
#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "framework/backends/cpu/gemm/dot_unit.h"
#include "framework/backends/cpu/gemm/layer_gemms.h"
#include "framework/ops/packed_weights.h"
#include "framework/precision/convert.h"
#include "framework/precision/element_type.h"
#include "tests/framework/ops/backwards_tasks.h"
#include "tests/framework/ops/random_tensor.h"

namespace weft::cpu {
namespace {

constexpr std::int64_t kRows = 150;
// A part of all columns and less; for dot products a multiple of 32.
constexpr std::int64_t kInputs = 112, kInputsOfDots = 160;

const float* row_of(const Tensor& array, std::int64_t i) {
  return array.data<float>() + i * array.dim(1);
}

struct Layer {
  std::int64_t inputs, groups, pieces, outputs = groups * pieces;
  Tensor x = random_tensor({kRows, inputs}, 1), w = random_tensor({outputs, inputs}, 2);
  Tensor d = random_tensor({kRows, groups}, 3), d_w = random_tensor({outputs, inputs}, 4);
  Tensor dx = Tensor::zeros({kRows, inputs});
  std::vector<std::uint8_t> winners;

  explicit Layer(std::int64_t inputs, std::int64_t groups = 29, std::int64_t pieces = 3)
      : inputs(inputs), groups(groups), pieces(pieces) {
    for (std::int64_t i = 0; i < kRows * groups; ++i) {
      winners.push_back(static_cast<std::uint8_t>(i * i % pieces));
    }
  }
  LayerFactors factors() const {
    return {{x.data<float>(), inputs, inputs},
            w.data<float>(),
            nullptr,
            outputs,
            pieces,
            winners.data()};
  }
  void run(const VectorUnit& unit, bool is_uninitialised) {
    run(*sparse_backward(unit, factors(), {}), is_uninitialised);
  }
  void run(BackwardGemms& gemms, bool is_uninitialised, std::int64_t chunk = 100) {
    for (std::int64_t first = 0; first < kRows; first += chunk) {
      const std::int64_t end = std::min(first + chunk, kRows);
      gemms.begin_chunk(first, end - first);
      for (std::int64_t row = first; row < end; row += gemms.block_rows()) {
        gemms.backward(row, std::min(gemms.block_rows(), end - row), row_of(d, row),
                       dx.data<float>() + row * inputs);
      }
      for (std::int64_t part = 0; part < gemms.gradient_parts(); ++part) {
        gemms.add_gradient(part, d_w.data<float>(), is_uninitialised && first == 0);
      }
    }
  }
  double dz(std::int64_t row, std::int64_t output) const {
    const std::int64_t group = output / pieces;
    const bool won = winners[static_cast<std::size_t>(row * groups + group)] == output % pieces;
    return won ? row_of(d, row)[group] : 0.0;
  }
};

class SparseBackward : public testing::TestWithParam<std::size_t> {
 protected:
  void SetUp() override {
    if (vector_units().size() <= GetParam()) GTEST_SKIP() << "this machine has no such unit";
  }
};

// Of the layer's numbers as they are now, with the gradients of the weights as they were before.
void expect_gradients(const Layer& layer, const Tensor* before) {
  for (std::int64_t j = 0; j < layer.inputs; ++j) {
    for (std::int64_t i = 0; i < kRows; ++i) {
      double sum = 0.0;
      for (std::int64_t o = 0; o < layer.outputs; ++o)
        sum += layer.dz(i, o) * row_of(layer.w, o)[j];
      ASSERT_NEAR(row_of(layer.dx, i)[j], sum, 1e-4) << i << " " << j;
    }
    for (std::int64_t o = 0; o < layer.outputs; ++o) {
      double sum = before == nullptr ? 0.0 : row_of(*before, o)[j];
      for (std::int64_t i = 0; i < kRows; ++i) sum += layer.dz(i, o) * row_of(layer.x, i)[j];
      ASSERT_NEAR(row_of(layer.d_w, o)[j], sum, 1e-4) << o << " " << j;
    }
  }
}

TEST_P(SparseBackward, EqualsProductsWithZeros) {
  for (const bool is_uninitialised : {false, true}) {
    Layer layer(kInputs);
    const Tensor before = layer.d_w.clone();
    layer.run(vector_units()[GetParam()], is_uninitialised);
    expect_gradients(layer, is_uninitialised ? nullptr : &before);
  }
}

// Blocks of a chunk have a word of bits each, or bits of their own.
TEST_P(SparseBackward, ChunksOfAnyLength) {
  for (const std::int64_t chunk : {7, 60, 128, 130, 150}) {
    Layer layer(kInputs);
    layer.run(*sparse_backward(vector_units()[GetParam()], layer.factors(), {}), true, chunk);
    expect_gradients(layer, nullptr);
  }
}

TEST_P(SparseBackward, AnyNumberOfGroupsAndPieces) {
  for (const auto& [groups, pieces] :
       {std::pair(1, 48), std::pair(2, 24), std::pair(3, 16), std::pair(5, 5), std::pair(6, 4)}) {
    Layer layer(kInputs, groups, pieces);
    layer.run(*sparse_backward(vector_units()[GetParam()], layer.factors(), {}), true);
    expect_gradients(layer, nullptr);
  }
}

// Rows of windows are not copied: the same bytes as those of rows that lie side by side.
TEST_P(SparseBackward, WindowsGiveTheBytesOfTheirRows) {
  constexpr std::int64_t kParts = 3;
  for (const std::int64_t width : {16, 96, 112}) {
    const Tensor words = random_tensor({kRows, width}, 5);
    Layer rows(kParts * width), windows(kParts * width);
    std::vector<std::int32_t> seen;
    for (std::int64_t i = 0; i < kRows * kParts; ++i) {
      const std::int64_t word = i / kParts + i % kParts - 1;
      const bool is_there = word >= 0 && word < kRows && i % 17 != 0;
      seen.push_back(is_there ? static_cast<std::int32_t>(word) : -1);
      float* to = rows.x.data<float>() + i * width;
      std::fill_n(to, width, 0.0F);
      if (is_there) std::copy_n(row_of(words, word), width, to);
    }
    LayerFactors factors = windows.factors();
    factors.x = {words.data<float>(), width, width, seen.data(), kParts};
    const VectorUnit& unit = vector_units()[GetParam()];
    rows.run(unit, true);
    windows.run(*sparse_backward(unit, factors, {}), true);
    for (std::int64_t i = 0; i < rows.d_w.size(); ++i) {
      ASSERT_EQ(windows.d_w.data<float>()[i], rows.d_w.data<float>()[i]) << width << " " << i;
    }
  }
}

// Rows of those go another way, whatever this machine's is.
TEST(BackwardGemms, PartsOfRowsThatFillNoVector) {
  constexpr std::int64_t kParts = 2, kWidth = 24;
  const Tensor words = random_tensor({kRows, kWidth}, 5);
  Layer layer(kParts * kWidth);
  std::vector<std::int32_t> seen;
  for (std::int64_t i = 0; i < kRows * kParts; ++i) {
    const std::int64_t word = i * 7 % kRows;
    seen.push_back(static_cast<std::int32_t>(word));
    std::copy_n(row_of(words, word), kWidth, layer.x.data<float>() + i * kWidth);
  }
  LayerFactors factors = layer.factors();
  factors.x = {words.data<float>(), kWidth, kWidth, seen.data(), kParts};
  layer.run(*backward_gemms(factors, kRows, {}), true);
  expect_gradients(layer, nullptr);
}

// Threads that are idle widen them.
TEST_P(SparseBackward, WeightsOfSixteenBitsGiveTheBytesOfTheirNumbers) {
  const VectorUnit& unit = vector_units()[GetParam()];
  for (const DType type : {DType::f16, DType::bf16}) {
    Layer wide(kInputs), low(kInputs);
    const Tensor stored = cast_to(type, low.w);
    wide.w = cast_to(DType::f32, stored);
    wide.run(unit, true);
    LayerFactors factors = low.factors();
    factors.w = stored.cview().data;
    factors.w_type = type;
    BackwardsTasks tasks;
    PackedWeights packed;
    const WorkSharing sharing{.tasks = &tasks.runner, .packed = &packed};
    const auto forward = forward_gemms(factors, kRows, sharing);  // packs them in another form
    tasks.most = 0;
    low.run(*sparse_backward(unit, factors, sharing), true);
    EXPECT_GT(tasks.most, 1U);
    tasks.most = 0;
    const auto next = sparse_backward(unit, factors, sharing);
    EXPECT_EQ(tasks.most, 0U) << "they are widened once";
    for (std::int64_t i = 0; i < wide.dx.size(); ++i) {
      ASSERT_EQ(low.dx.data<float>()[i], wide.dx.data<float>()[i]) << i;
    }
    for (std::int64_t i = 0; i < wide.d_w.size(); ++i) {
      ASSERT_EQ(low.d_w.data<float>()[i], wide.d_w.data<float>()[i]) << i;
    }
  }
}

// Sums of dot products round as those of f32 do, so the same error is allowed. x and the weights
// lie in memory in f32 or in bf16.
TEST(SparseBackwardByDots, EqualsProductsWithZeros) {
  if (!has_dot_instruction()) GTEST_SKIP() << "this machine has no AVX512-BF16";
  for (const bool is_low : {false, true}) {
    Layer layer(kInputsOfDots);
    for (Tensor* array : {&layer.x, &layer.w, &layer.d}) {
      round_to(NumberFormat::bf16, {array->data<float>(), static_cast<std::size_t>(array->size())});
    }
    const Tensor x = cast_to(DType::bf16, layer.x), w = cast_to(DType::bf16, layer.w);
    LayerFactors factors = layer.factors();
    factors.x.factors = NumberFormat::bf16;
    if (is_low) {
      factors.x.data = x.cview().data;
      factors.w = w.cview().data;
      factors.x.type = factors.w_type = DType::bf16;
    }
    const Tensor before = layer.d_w.clone();
    layer.run(*sparse_backward_by_dots(vector_units()[0], factors, {}), false);
    expect_gradients(layer, &before);
  }
}

INSTANTIATE_TEST_SUITE_P(Units, SparseBackward, testing::Values(0, 1));

}  // namespace
}  // namespace weft::cpu
