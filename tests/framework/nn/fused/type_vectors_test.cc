// Vectors of types that are kept between passes.
#include "framework/nn/fused/type_vectors.h"

#include <algorithm>
#include <new>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace weft {
namespace {

using ::testing::ElementsAre;

class TypeVectorsTest : public ::testing::Test {
 protected:
  // The vectors of one column of ids; a vector is (id, number of calls that computed something).
  std::vector<float> of(const std::vector<std::uint64_t>& ids) {
    const auto count = static_cast<std::int64_t>(ids.size());
    Tensor rows = ctx_.host_array({count, 1}, DType::u64);
    std::copy(ids.begin(), ids.end(), rows.data<std::uint64_t>());
    const Tensor found =
        vectors_.of(ctx_, rows, [&](const Tensor& types) { return compute(types); });
    const auto* first = found.data<float>();
    return {first, first + found.size()};
  }
  Tensor compute(const Tensor& types) {
    if (fails_) throw std::bad_alloc();
    ++calls_;
    Tensor made = Tensor::zeros({types.dim(0), 2});
    for (std::int64_t i = 0; i < types.dim(0); ++i) {
      made.data<float>()[2 * i] = static_cast<float>(types.data<std::uint64_t>()[i]);
      made.data<float>()[2 * i + 1] = static_cast<float>(calls_);
    }
    return made;
  }

  Context ctx_;
  TypeVectors vectors_;
  int calls_ = 0;
  bool fails_ = false;
};

TEST_F(TypeVectorsTest, ATypeIsComputedOnce) {
  EXPECT_THAT(of({7, 8, 7}), ElementsAre(7, 1, 8, 1, 7, 1));
  EXPECT_THAT(of({8, 9}), ElementsAre(8, 1, 9, 2));
  EXPECT_THAT(of({9, 7}), ElementsAre(9, 2, 7, 1));
}

// The types of a pass that failed have numbers and no vectors.
TEST_F(TypeVectorsTest, APassThatFailedLeavesNothingBehind) {
  of({7});
  fails_ = true;
  EXPECT_THROW(of({7, 8}), std::bad_alloc);
  fails_ = false;
  EXPECT_THAT(of({8, 7}), ElementsAre(8, 2, 7, 2));
}

}  // namespace
}  // namespace weft
