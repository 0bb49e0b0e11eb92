#include "framework/pipeline/packed_cache.h"

#include <memory>

#include <gtest/gtest.h>

#include "framework/text/vectors.h"
#include "tests/framework/pipeline/one_weight_component.h"

namespace weft {
namespace {

class PackedCacheTest : public ::testing::Test {
 protected:
  PackedCacheTest() { nlp_.add({"one", component_}); }

  std::shared_ptr<PackedWeights> next(bool needed_several_times = false) {
    return cache_.of(nlp_.pipeline(), nlp_.vocab()->vectors(), needed_several_times);
  }
  Parameter& weight() { return component_->model().param("W"); }
  // Has so many bytes packed.
  static void pack(PackedWeights& packed, std::size_t bytes) {
    packed.find({&packed, true, static_cast<std::int64_t>(bytes), 1}, bytes, [](void*) {});
  }

  std::shared_ptr<testing::OneWeight> component_ = std::make_shared<testing::OneWeight>();
  Language nlp_{Config(), testing::plain_settings()};
  PackedCache cache_;
};

TEST_F(PackedCacheTest, AreSharedFromTheSecondCallOn) {
  EXPECT_EQ(next(), nullptr);
  const auto second = next();
  ASSERT_NE(second, nullptr);
  EXPECT_EQ(next(), second);
  EXPECT_EQ(next(true), second);
}

TEST_F(PackedCacheTest, OfACallThatNeedsThemSeveralTimesFromTheFirst) {
  const auto first = next(true);
  ASSERT_NE(first, nullptr);
  EXPECT_EQ(next(), first);
}

TEST_F(PackedCacheTest, OfAWeightThatIsWrittenAreGone) {
  const auto before = next(true);
  ++weight().version;
  EXPECT_EQ(next(), nullptr);
  const auto after = next();
  EXPECT_NE(after, nullptr);
  EXPECT_NE(after, before);
}

// Its version is the same, and so would be its place, if the old one were not held.
TEST_F(PackedCacheTest, OfAnotherWeightInItsPlaceAreGone) {
  next(true);
  weight().value = Tensor();
  weight().value = Tensor::zeros({1});
  EXPECT_EQ(next(), nullptr);
}

TEST_F(PackedCacheTest, OfOtherComponentsAreGone) {
  next(true);
  nlp_.add({"two", std::make_shared<testing::OneWeight>()});
  EXPECT_EQ(next(), nullptr);
}

TEST_F(PackedCacheTest, OfOtherWordVectorsAreGone) {
  next(true);
  nlp_.mutable_vocab().set_vectors(std::make_shared<const Vectors>(
      Tensor::from<float>({1, 1}, {1.0F}), std::vector<Vectors::KeyRow>()));
  EXPECT_EQ(next(), nullptr);
}

TEST_F(PackedCacheTest, AreGivenBack) {
  pack(*next(true), 1000);
  EXPECT_GE(cache_.forget(), 1000U);
  EXPECT_EQ(cache_.forget(), 0U);
  EXPECT_EQ(next(), nullptr);
  pack(*next(), 1000);
  EXPECT_GE(PackedCache::forget_all(), 1000U);
  EXPECT_EQ(next(), nullptr);
}

TEST_F(PackedCacheTest, OfLargeNetworksAreNotKept) {
  const auto packed = next(true);
  pack(*packed, 1 << 20);
  cache_.bound();
  EXPECT_EQ(next(), packed);
  pack(*packed, std::size_t{65} << 20);
  EXPECT_EQ(next(), packed) << "to the end of the call";
  cache_.bound();
  EXPECT_NE(next(), packed);
}

}  // namespace
}  // namespace weft
