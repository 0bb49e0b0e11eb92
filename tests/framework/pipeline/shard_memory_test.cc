#include "framework/pipeline/shard_memory.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace weft {
namespace {

using ::testing::ElementsAre;

using Lengths = std::vector<std::size_t>;

TEST(ShardMemoryTest, WithoutALimitNothingIsCutAndAllRunAtOnce) {
  const Lengths lengths = {5, 5, 5, 5};
  const std::vector<Shard> shards = {{0, 2}, {2, 4}};
  const ShardBytes bytes{lengths, {10.0, 0.0}, 0.0};
  EXPECT_EQ(cut_to_fit(shards, bytes), shards);
  EXPECT_EQ(end_of_wave(shards, 0, bytes), 2u);
}

TEST(ShardMemoryTest, ShardsAreHalvedUntilTheyFit) {
  const Lengths lengths = {1, 1, 1, 1, 8, 2};
  const std::vector<Shard> shards = {{0, 4}, {4, 6}};
  EXPECT_THAT(cut_to_fit(shards, {lengths, {10.0, 0.0}, 40.0}),
              ElementsAre(Shard{0, 4}, Shard{4, 5}, Shard{5, 6}))
      << "one document alone stays, even if it is too long";
  EXPECT_THAT(cut_to_fit(shards, {lengths, {10.0, 0.0}, 25.0}),
              ElementsAre(Shard{0, 2}, Shard{2, 4}, Shard{4, 5}, Shard{5, 6}));
}

TEST(ShardMemoryTest, WavesTakeWhatFitsAndAtLeastOne) {
  const Lengths lengths = {2, 3, 1, 9, 1};
  const std::vector<Shard> shards = {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 5}};
  const ShardBytes bytes{lengths, {1.0, 0.0}, 5.0};
  EXPECT_EQ(end_of_wave(shards, 0, bytes), 2u);
  EXPECT_EQ(end_of_wave(shards, 2, bytes), 3u);
  EXPECT_EQ(end_of_wave(shards, 3, bytes), 4u) << "too long, but alone";
  EXPECT_EQ(end_of_wave(shards, 4, bytes), 5u);
}

TEST(ShardMemoryTest, PaddingBetweenDocumentsCounts) {
  const Lengths lengths = {2, 2};
  const ShardBytes bytes{lengths, {1.0, 10.0}, 0.0};
  EXPECT_EQ(bytes.of({0, 2}), 24.0);
  EXPECT_EQ(bytes.of({1, 2}), 12.0);
}

TEST(ShardMemoryTest, PairsOfTokensCountWithinADocument) {
  const Lengths lengths = {2, 3};
  const ShardBytes bytes{lengths, {1.0, 0.0, 10.0}, 60.0};
  EXPECT_EQ(bytes.of({0, 2}), 5.0 + 10.0 * (4 + 9));
  EXPECT_THAT(cut_to_fit(std::vector<Shard>{{0, 2}}, bytes), ElementsAre(Shard{0, 1}, Shard{1, 2}));
}

TEST(ShardMemoryTest, AtMostEightRunAtOnce) {
  const Lengths lengths(20, 1);
  std::vector<Shard> shards;
  for (std::size_t i = 0; i < 20; ++i) shards.push_back({i, i + 1});
  EXPECT_EQ(end_of_wave(shards, 3, {lengths, {1.0, 0.0}, 1000.0}), 11u);
}

TEST(ShardMemoryTest, HalvesHaveLikeLengthsAndNeverNoDocument) {
  const auto halves = [](const Lengths& lengths) {
    return halves_of({0, lengths.size()}, lengths)->first.end;
  };
  EXPECT_EQ(halves({4, 4, 4, 4}), 2u);
  EXPECT_EQ(halves({1, 1, 1, 9}), 3u);
  EXPECT_EQ(halves({9, 1, 1, 1}), 1u);
  EXPECT_EQ(halves({5, 5}), 1u);
  EXPECT_EQ(halves({0, 0, 0}), 1u);
  EXPECT_FALSE(halves_of({3, 4}, Lengths{1, 1, 1, 7}));
  const auto inner = halves_of({1, 4}, Lengths{100, 2, 2, 4});
  EXPECT_EQ(inner->first, (Shard{1, 3}));
  EXPECT_EQ(inner->second, (Shard{3, 4}));
}

}  // namespace
}  // namespace weft
