// Sums of chosen rows against all products, zeros included, whatever this machine's way is.
#include <algorithm>
#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

#include "framework/backends/cpu/gemm/layer_products.h"
#include "tests/framework/ops/random_tensor.h"

namespace weft::cpu {
namespace {

constexpr std::int64_t kRows = 150, kGroups = 29, kPieces = 3, kOutputs = kGroups * kPieces;
constexpr std::int64_t kInputs = 112;  // a part of all columns, and less

const float* row_of(const Tensor& array, std::int64_t i) {
  return array.data<float>() + i * array.dim(1);
}

struct Layer {
  Tensor x = random_tensor({kRows, kInputs}, 1), w = random_tensor({kOutputs, kInputs}, 2);
  Tensor d = random_tensor({kRows, kGroups}, 3), d_w = random_tensor({kOutputs, kInputs}, 4);
  Tensor dx = Tensor::zeros({kRows, kInputs});
  std::vector<std::uint8_t> winners;

  Layer() {
    for (std::int64_t i = 0; i < kRows * kGroups; ++i) {
      winners.push_back(static_cast<std::uint8_t>(i * i % kPieces));
    }
  }
  LayerFactors factors() const {
    return {{x.data<float>(), kInputs, kInputs},
            w.data<float>(),
            nullptr,
            kOutputs,
            kPieces,
            winners.data()};
  }
  void run(const VectorUnit& unit, bool is_fresh) {
    const auto products = sparse_backward(unit, factors());
    for (std::int64_t first = 0; first < kRows; first += 100) {
      const std::int64_t end = std::min<std::int64_t>(first + 100, kRows);
      products->begin_chunk(first, end - first);
      for (std::int64_t row = first; row < end; row += products->strip()) {
        products->backward(row, std::min(products->strip(), end - row), row_of(d, row),
                           dx.data<float>() + row * kInputs);
      }
      for (std::int64_t part = 0; part < products->gradient_parts(); ++part) {
        products->add_gradient(part, d_w.data<float>(), is_fresh && first == 0);
      }
    }
  }
  double dz(std::int64_t row, std::int64_t output) const {
    const std::int64_t group = output / kPieces;
    const bool won = winners[static_cast<std::size_t>(row * kGroups + group)] == output % kPieces;
    return won ? row_of(d, row)[group] : 0.0;
  }
};

class SparseBackward : public testing::TestWithParam<std::size_t> {
 protected:
  void SetUp() override {
    if (vector_units().size() <= GetParam()) GTEST_SKIP() << "this machine has no such unit";
  }
};

TEST_P(SparseBackward, EqualsProductsWithZeros) {
  for (const bool is_fresh : {false, true}) {
    Layer layer;
    const Tensor before = layer.d_w.clone();
    layer.run(vector_units()[GetParam()], is_fresh);
    for (std::int64_t j = 0; j < kInputs; ++j) {
      for (std::int64_t i = 0; i < kRows; ++i) {
        double sum = 0.0;
        for (std::int64_t o = 0; o < kOutputs; ++o) sum += layer.dz(i, o) * row_of(layer.w, o)[j];
        ASSERT_NEAR(row_of(layer.dx, i)[j], sum, 1e-4) << i << " " << j;
      }
      for (std::int64_t o = 0; o < kOutputs; ++o) {
        double sum = is_fresh ? 0.0 : row_of(before, o)[j];
        for (std::int64_t i = 0; i < kRows; ++i) sum += layer.dz(i, o) * row_of(layer.x, i)[j];
        ASSERT_NEAR(row_of(layer.d_w, o)[j], sum, 1e-4) << o << " " << j;
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Units, SparseBackward, testing::Values(0, 1));

}  // namespace
}  // namespace weft::cpu
