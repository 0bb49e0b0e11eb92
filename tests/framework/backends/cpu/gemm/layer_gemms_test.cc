#include "framework/backends/cpu/gemm/layer_gemms.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <vector>

#include <gtest/gtest.h>

#include "framework/backends/cpu/gemm/host_gemm.h"
#include "framework/ops/packed_weights.h"
#include "framework/precision/element_type.h"
#include "tests/framework/ops/backwards_tasks.h"
#include "tests/framework/ops/random_tensor.h"

namespace weft::cpu {
namespace {

constexpr std::int64_t kOutputs = 96, kInputs = 64, kRows = 40;

// z (rows, outputs), block by block.
void run_blocks(const ForwardGemms& gemms, std::int64_t outputs, std::vector<float>& z) {
  for (const RowRange& rows : gemms.blocks()) {
    gemms.forward(rows.first, rows.count, z.data() + rows.first * outputs);
  }
}

class LayerGemmsTest : public testing::TestWithParam<DType> {
 protected:
  // Weights as they are stored.
  static Tensor weights(std::uint64_t seed) {
    const Tensor wide = random_tensor({kOutputs, kInputs}, seed);
    if (GetParam() == DType::f32) return wide;
    Tensor stored = Tensor::zeros({kOutputs, kInputs}, GetParam());
    cast_rows(wide.cview(), stored.view());
    return stored;
  }

  // x w^T of one layer, whose widened weights go when it is done.
  std::vector<float> forward(const Tensor& w, PackedWeights* packed) const {
    const NumberFormat format = GetParam() == DType::f32   ? NumberFormat::f32
                                : GetParam() == DType::f16 ? NumberFormat::f16
                                                           : NumberFormat::bf16;
    LayerFactors factors{.x = {.data = x_.data<float>(), .stride = kInputs, .width = kInputs},
                         .w = w.cview().data,
                         .bias = bias_.data<float>(),
                         .outputs = kOutputs};
    factors.x.factors = format;
    factors.w_type = GetParam();
    const WorkSharing sharing{.packed = packed};
    const WidenedWeights while_it_runs(factors, sharing);
    const auto gemms = forward_gemms(factors, kRows, sharing);
    std::vector<float> z(static_cast<std::size_t>(kRows * kOutputs));
    run_blocks(*gemms, kOutputs, z);
    return z;
  }

  Tensor x_ = random_tensor({kRows, kInputs}, 1), bias_ = random_tensor({kOutputs}, 2);
};

// Layers take turns in the same scratch memory: each has packed weights of its own all the same.
TEST_P(LayerGemmsTest, LayersThatSharePackedWeightsKeepTheirOwn) {
  const Tensor first = weights(3), second = weights(4);
  const std::vector<float> of_first = forward(first, nullptr), of_second = forward(second, nullptr);
  ASSERT_NE(of_first, of_second);
  PackedWeights packed;
  for (int pass = 0; pass < 2; ++pass) {
    EXPECT_EQ(forward(first, &packed), of_first) << pass;
    EXPECT_EQ(forward(second, &packed), of_second) << pass;
  }
}

// A layer too narrow for tiles and vectors. Of 90 outputs: the last part has fewer rows than the
// others.
TEST_P(LayerGemmsTest, ThreadsWidenPartsOfTheWeights) {
  constexpr std::int64_t kSome = 90, kFew = 40;
  ASSERT_EQ(gemm_path(kSome, kFew), GemmPath::library);
  const Tensor stored = cast_to(GetParam(), random_tensor({kSome, kFew}, 3));
  LayerFactors factors{.x = {.data = x_.data<float>(), .stride = kInputs, .width = kFew},
                       .w = stored.cview().data,
                       .bias = bias_.data<float>(),
                       .outputs = kSome};
  factors.w_type = GetParam();
  BackwardsTasks tasks;
  const WidenedWeights while_it_runs(factors, {.tasks = &tasks.runner});
  EXPECT_EQ(tasks.most > 1, GetParam() != DType::f32);
  ASSERT_EQ(factors.w_type, DType::f32);
  const Tensor wide = cast_to(DType::f32, stored);
  for (std::int64_t i = 0; i < wide.size(); ++i) {
    ASSERT_EQ(factors.weights()[i], wide.data<float>()[i]) << i;
  }
}

// Windows of three rows each, some of them beyond the ends of the array.
TEST_P(LayerGemmsTest, RowsConvertedOnceGiveTheSameAsRowsConvertedForEachWindow) {
  constexpr std::int64_t kWidth = kInputs, kWindows = kRows;
  const Tensor stored = weights(5);  // kOutputs rows of kWidth numbers
  const Tensor w = random_tensor({kOutputs, 3 * kWidth}, 6);
  std::vector<std::int32_t> seen;
  for (std::int32_t i = 0; i < kWindows; ++i) {
    for (const std::int32_t row : {i - 1, i, i + 1}) seen.push_back(row == kWindows ? -1 : row);
  }
  const auto forward_of = [&](NumberFormat rounded, bool once) {
    LayerFactors factors{.x = {.data = stored.cview().data,
                               .stride = kWidth,
                               .width = kWidth,
                               .seen = seen.data(),
                               .parts = 3,
                               .type = GetParam(),
                               .rounded = rounded,
                               .factors = NumberFormat::bf16},
                         .w = w.cview().data,
                         .bias = bias_.data<float>(),
                         .outputs = kOutputs};
    std::optional<ConvertedRows> while_it_runs;
    if (once) while_it_runs.emplace(factors, kWindows);
    const auto gemms = forward_gemms(factors, kWindows, {});
    std::vector<float> z(static_cast<std::size_t>(kWindows * kOutputs));
    run_blocks(*gemms, kOutputs, z);
    return z;
  };
  for (const NumberFormat rounded : {NumberFormat::f16, NumberFormat::bf16, NumberFormat::f32}) {
    EXPECT_EQ(forward_of(rounded, false), forward_of(rounded, true)) << static_cast<int>(rounded);
  }
}

// Two threads have as much to do each, but for a few rows.
TEST(VectorForward, BlocksComeInPairs) {
  if (gemm_path(kOutputs, kInputs) != GemmPath::vectors) {
    GTEST_SKIP() << "this machine's layers are not computed by the vector unit";
  }
  const Tensor x = random_tensor({kRows, kInputs}, 1), w = random_tensor({kOutputs, kInputs}, 2);
  const Tensor bias = random_tensor({kOutputs}, 3);
  const LayerFactors factors{.x = {.data = x.cview().data, .stride = kInputs, .width = kInputs},
                             .w = w.cview().data,
                             .bias = bias.cview().as<float>(),
                             .outputs = kOutputs};
  EXPECT_EQ(forward_gemms(factors, 31, {})->blocks().size(), 1U);
  EXPECT_EQ(forward_gemms(factors, 192, {})->blocks().size(), 1U) << "the weights go by";
  PackedWeights packed;
  for (std::int64_t rows = 32; rows < 700; ++rows) {
    const auto blocks = forward_gemms(factors, rows, {.packed = &packed})->blocks();
    const std::int64_t size = blocks.front().count;
    EXPECT_LE(size, 48) << rows;
    // Sizes are rounded up, which may spare one of many blocks.
    EXPECT_TRUE(blocks.size() % 2 == 0 || rows > 384) << rows;
    EXPECT_LE(static_cast<std::int64_t>(blocks.size() + 1) / 2 * size, rows / 2 + 48) << rows;
  }
}

// The last one of few blocks leaves threads idle.
TEST(TileForward, ThreadsTakePiecesOfTheColumnsOfABlock) {
  constexpr std::int64_t kWide = 300, kBlock = 32;
  if (gemm_path(kWide, kWide) != GemmPath::tiles) {
    GTEST_SKIP() << "this machine's layers are not computed by the tile unit";
  }
  const Tensor x = random_tensor({kBlock, kWide}, 1), w = random_tensor({kWide, kWide}, 2);
  const Tensor bias = random_tensor({kWide}, 3);
  const LayerFactors factors{.x = {.data = x.cview().data, .stride = kWide, .width = kWide},
                             .w = w.cview().data,
                             .bias = bias.cview().as<float>(),
                             .outputs = kWide};
  BackwardsTasks tasks;
  PackedWeights packed;
  std::vector<float> alone(static_cast<std::size_t>(kBlock * kWide)), shared(alone.size());
  forward_gemms(factors, 1000, {})->forward(0, kBlock, alone.data());
  const auto gemms = forward_gemms(factors, 1000, {.tasks = &tasks.runner, .packed = &packed});
  tasks.most = 0;  // the weights are packed
  gemms->forward(0, kBlock, shared.data());
  EXPECT_EQ(tasks.most, 4U);
  EXPECT_EQ(shared, alone);
  tasks.most = 0;
  gemms->forward(0, 3, shared.data());
  EXPECT_EQ(tasks.most, 0U) << "over before another thread has begun";
}

// A layer with windows of three rows of x, of maxout with two pieces.
struct WindowLayer {
  static constexpr std::int64_t kWidth = 64, kPieces = 2, kGroups = 75;
  static constexpr std::int64_t kOutputs = kPieces * kGroups, kInputs = 3 * kWidth;

  explicit WindowLayer(std::int64_t rows) : rows(rows) {
    for (std::int64_t i = 0; i < rows; ++i) {
      for (const std::int64_t row : {i - 1, i, i + 1}) {
        seen.push_back(static_cast<std::int32_t>(row == rows ? -1 : row));
      }
    }
    for (std::int64_t i = 0; i < rows * kGroups; ++i) {
      winners.push_back(static_cast<std::uint8_t>(i * i / 3 % kPieces));
    }
  }

  LayerFactors factors(NumberFormat format) const {
    LayerFactors all{.x = {.data = x.data<float>(),
                           .stride = kWidth,
                           .width = kWidth,
                           .seen = seen.data(),
                           .parts = 3},
                     .w = w.data<float>(),
                     .bias = bias.data<float>(),
                     .outputs = kOutputs,
                     .pieces = kPieces,
                     .winners = winners.data()};
    all.x.factors = format;
    return all;
  }
  std::vector<float> forward(NumberFormat format, const WorkSharing& sharing) const {
    std::vector<float> z(static_cast<std::size_t>(rows * kOutputs));
    const auto gemms = forward_gemms(factors(format), rows, sharing);
    run_blocks(*gemms, kOutputs, z);
    return z;
  }
  // dx and behind it d_w.
  std::vector<float> backward(NumberFormat format, const WorkSharing& sharing) const {
    std::vector<float> all(static_cast<std::size_t>((rows + kOutputs) * kInputs));
    float* const d_w = all.data() + rows * kInputs;
    const auto gemms = backward_gemms(factors(format), rows, sharing);
    for (std::int64_t first = 0; first < rows; first += rows_of_chunk(rows)) {
      const std::int64_t count = std::min(rows_of_chunk(rows), rows - first);
      float* const dx = all.data() + first * kInputs;
      gemms->begin_chunk(first, count);
      for (std::int64_t row = 0; row < count; row += gemms->block_rows()) {
        gemms->backward(first + row, std::min(gemms->block_rows(), count - row),
                        d.data<float>() + (first + row) * kGroups, dx + row * kInputs);
      }
      if (gemms->ends_with_rows()) gemms->end_chunk(dx);
      for (std::int64_t i = 0; i < gemms->gradient_parts(); ++i) {
        gemms->add_gradient(i, d_w, first == 0);
      }
    }
    return all;
  }

  std::int64_t rows;
  Tensor x = random_tensor({rows, kWidth}, 1), w = random_tensor({kOutputs, kInputs}, 2);
  Tensor bias = random_tensor({kOutputs}, 3), d = random_tensor({rows, kGroups}, 4);
  std::vector<std::int32_t> seen;
  std::vector<std::uint8_t> winners;
};

// Weights of a batch that is alone are packed as they are used, in another order of loops.
TEST(LayerGemms, FewRowsHaveTheBytesOfRowsThatShareTheirWeights) {
  for (const std::int64_t rows : {1, 16, 31, 33, 100, 192, 193, 400}) {
    const WindowLayer layer(rows);
    for (const NumberFormat format : {NumberFormat::f32, NumberFormat::f16, NumberFormat::bf16}) {
      SCOPED_TRACE(testing::Message() << rows << " rows in " << name_of(format));
      PackedWeights packed;
      BackwardsTasks tasks;
      const std::vector<float> z = layer.forward(format, {.packed = &packed});
      EXPECT_EQ(layer.forward(format, {}), z);
      EXPECT_EQ(layer.forward(format, {.tasks = &tasks.runner}), z);
      const std::vector<float> gradients = layer.backward(format, {.packed = &packed});
      EXPECT_EQ(layer.backward(format, {}), gradients);
      EXPECT_EQ(layer.backward(format, {.tasks = &tasks.runner}), gradients);
    }
  }
}

TEST(TileForward, WeightsOfFewRowsAreSharedAmongThreadsByColumns) {
  const WindowLayer layer(100);
  if (gemm_path(WindowLayer::kOutputs, WindowLayer::kInputs) != GemmPath::tiles) {
    GTEST_SKIP() << "this machine's layers are not computed by the tile unit";
  }
  BackwardsTasks tasks;
  PackedWeights packed;
  const LayerFactors factors = layer.factors(NumberFormat::f32);
  const auto block_rows = [&](std::int64_t rows, PackedWeights* of) {
    return forward_gemms(factors, rows, {.packed = of})->blocks().front().count;
  };
  EXPECT_EQ(block_rows(100, nullptr), 100);
  EXPECT_TRUE(forward_gemms(factors, 0, {})->blocks().empty());
  EXPECT_EQ(block_rows(100, &packed), 32);
  EXPECT_EQ(block_rows(193, nullptr), 32);
  layer.forward(NumberFormat::f32, {.tasks = &tasks.runner});
  EXPECT_EQ(tasks.most, 5U) << "panels of 32 of 150 columns";
}

// Documents of the lengths given one behind the other, each word of which sees its neighbours in
// the document.
std::vector<std::int32_t> windows_of(const std::vector<std::int32_t>& lengths) {
  std::vector<std::int32_t> seen;
  std::int32_t first = 0;
  for (const std::int32_t length : lengths) {
    for (std::int32_t i = 0; i < length; ++i) {
      seen.push_back(i == 0 ? -1 : first + i - 1);
      seen.push_back(first + i);
      seen.push_back(i + 1 == length ? -1 : first + i + 1);
    }
    first += length;
  }
  return seen;
}

class WindowForwardTest : public testing::Test {
 protected:
  static constexpr std::int64_t kWidth = 64, kColumns = 150;

  void SetUp() override {
    if (gemm_path(kColumns, 3 * kWidth) != GemmPath::vectors) {
      GTEST_SKIP() << "this machine's layers are not computed by the vector unit";
    }
  }

  // Of documents whose first word is row `first` of x.
  std::vector<float> forward(const std::vector<std::int32_t>& lengths, std::int64_t first = 0,
                             const WorkSharing& sharing = {}) {
    seen_ = windows_of(lengths);
    const auto rows = static_cast<std::int64_t>(seen_.size()) / 3;
    gemms_ = forward_gemms({.x = {.data = x_.data<float>() + first * kWidth,
                                  .stride = kWidth,
                                  .width = kWidth,
                                  .seen = seen_.data(),
                                  .parts = 3},
                            .w = w_.data<float>(),
                            .bias = bias_.data<float>(),
                            .outputs = kColumns},
                           rows, sharing);
    std::vector<float> z(static_cast<std::size_t>(rows * kColumns));
    run_blocks(*gemms_, kColumns, z);
    return z;
  }

  Tensor x_ = random_tensor({700, kWidth}, 1), w_ = random_tensor({kColumns, 3 * kWidth}, 2);
  Tensor bias_ = random_tensor({kColumns}, 3);
  std::vector<std::int32_t> seen_;
  std::unique_ptr<ForwardGemms> gemms_;
};

const std::vector<std::int32_t> kLengths = {1,  2, 3, 4, 5, 6,  7, 8, 9,  30, 1,  1,
                                            17, 4, 4, 4, 2, 41, 3, 5, 90, 11, 13, 6};

TEST_F(WindowForwardTest, EqualsSumsInDouble) {
  const std::vector<float> z = forward(kLengths);
  for (std::size_t i = 0; i < z.size(); ++i) {
    const std::int64_t row = static_cast<std::int64_t>(i) / kColumns;
    const std::int64_t column = static_cast<std::int64_t>(i) % kColumns;
    double sum = bias_.data<float>()[column];
    for (std::int64_t k = 0; k < 3 * kWidth; ++k) {
      const std::int32_t seen = seen_[static_cast<std::size_t>(row * 3 + k / kWidth)];
      if (seen < 0) continue;
      sum += double{x_.data<float>()[seen * kWidth + k % kWidth]} *
             w_.data<float>()[column * 3 * kWidth + k];
    }
    ASSERT_NEAR(z[i], sum, 2e-5) << "row " << row << ", column " << column;
  }
}

TEST_F(WindowForwardTest, ADocumentDoesNotDependOnThoseBesideIt) {
  const std::vector<float> all = forward(kLengths);
  std::int64_t first = 0;
  for (const std::int32_t length : kLengths) {
    const std::vector<float> alone = forward({length}, first);
    ASSERT_TRUE(std::equal(alone.begin(), alone.end(), all.begin() + first * kColumns)) << length;
    first += length;
  }
}

// Window tiles are cut by documents: blocks of them come in pairs, and hold all rows in order.
TEST_F(WindowForwardTest, BlocksOfTilesComeInPairs) {
  PackedWeights packed;
  for (std::int32_t length = 1; length < 700; length += 3) {
    forward({length / 2, length - length / 2}, 0, {.packed = &packed});
    const std::vector<RowRange> blocks = gemms_->blocks();
    std::int64_t next = 0;
    for (const RowRange& block : blocks) {
      EXPECT_EQ(block.first, next) << length;
      EXPECT_LE(block.count, 64) << length;
      next += block.count;
    }
    EXPECT_EQ(next, length);
    EXPECT_TRUE(blocks.size() == 1 || blocks.size() % 2 == 0 || length > 400) << length;
  }
  forward({});
  EXPECT_TRUE(gemms_->blocks().empty());
}

TEST_F(WindowForwardTest, WeightsOfFewRowsAreSharedAmongThreadsByPanels) {
  BackwardsTasks tasks;
  PackedWeights packed;
  const std::vector<std::int32_t> lengths = {30, 17, 3, 50};
  const std::vector<float> shared = forward(lengths, 0, {.tasks = &tasks.runner});
  EXPECT_EQ(gemms_->blocks().size(), 1U);
  EXPECT_EQ(tasks.most, static_cast<std::size_t>(vector_unit()->panels(kColumns)));
  EXPECT_EQ(forward(lengths, 0, {.packed = &packed}), shared);
  EXPECT_EQ(gemms_->blocks().size(), 2U);
}

INSTANTIATE_TEST_SUITE_P(Formats, LayerGemmsTest,
                         testing::Values(DType::f32, DType::f16, DType::bf16));

}  // namespace
}  // namespace weft::cpu
