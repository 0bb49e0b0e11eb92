#include "framework/pipeline/batch.h"

#include <numeric>

#include <gtest/gtest.h>

namespace weft {
namespace {

std::vector<Shard> cut(const std::vector<std::size_t>& lengths) {
  return cut_into_shards(lengths);
}

TEST(ShardsTest, SmallBatchStaysWhole) {
  EXPECT_EQ(cut({10, 20, 30}), (std::vector<Shard>{{0, 3}}));
  EXPECT_TRUE(cut({}).empty());
  EXPECT_EQ(cut({0}), (std::vector<Shard>{{0, 1}}));
}

TEST(ShardsTest, TwoForThreadsThenOneForEach512TokensUpToEight) {
  EXPECT_EQ(cut(std::vector<std::size_t>(23, 16)).size(), 1u);
  EXPECT_EQ(cut(std::vector<std::size_t>(24, 16)).size(), 2u);
  EXPECT_EQ(cut(std::vector<std::size_t>(95, 16)).size(), 2u);
  EXPECT_EQ(cut(std::vector<std::size_t>(96, 16)).size(), 4u);
  EXPECT_EQ(cut(std::vector<std::size_t>(191, 16)).size(), 4u);
  EXPECT_EQ(cut(std::vector<std::size_t>(192, 16)).size(), 8u);
  EXPECT_EQ(cut(std::vector<std::size_t>(2000, 16)).size(), 8u);
}

TEST(ShardsTest, NeverMoreThanDocuments) {
  EXPECT_EQ(cut({100000}).size(), 1u);
  EXPECT_EQ(cut({5000, 5000, 5000}).size(), 2u);
}

TEST(ShardsTest, CoversEveryDocumentOnceInOrderAndEvenly) {
  std::vector<std::size_t> lengths;
  for (std::size_t i = 0; i < 157; ++i) lengths.push_back(1 + i * 37 % 61);
  const std::vector<Shard> shards = cut(lengths);
  const auto total = std::accumulate(lengths.begin(), lengths.end(), std::size_t{0});
  std::size_t next = 0;
  for (const Shard& shard : shards) {
    EXPECT_EQ(shard.begin, next);
    EXPECT_LT(shard.begin, shard.end);
    const auto tokens =
        std::accumulate(lengths.begin() + static_cast<long>(shard.begin),
                        lengths.begin() + static_cast<long>(shard.end), std::size_t{0});
    EXPECT_NEAR(static_cast<double>(tokens), static_cast<double>(total) / shards.size(), 61.0);
    next = shard.end;
  }
  EXPECT_EQ(next, lengths.size());
}

TEST(ShardsTest, ADocumentInTheMiddleGoesWhereMostOfItBelongs) {
  EXPECT_EQ(cut({190, 90, 200}), (std::vector<Shard>{{0, 2}, {2, 3}}));
  EXPECT_EQ(cut({200, 150, 300}), (std::vector<Shard>{{0, 2}, {2, 3}}));
  EXPECT_EQ(cut({300, 150, 200}), (std::vector<Shard>{{0, 1}, {1, 3}}));
  // Where just half of it belongs to either shard, it goes to the later one.
  EXPECT_EQ(cut({200, 150, 200}), (std::vector<Shard>{{0, 1}, {1, 3}}));
  EXPECT_EQ(cut({200, 150, 201}), (std::vector<Shard>{{0, 2}, {2, 3}}));
}

// A hundred documents of two tokens take three hundred rows of padding.
TEST(ShardsTest, PaddingCounts) {
  std::vector<std::size_t> lengths(100, 2);
  lengths.insert(lengths.end(), {200, 200});
  EXPECT_EQ(cut(lengths), (std::vector<Shard>{{0, 91}, {91, 102}}));
}

TEST(ShardsTest, LeavesADocumentForEveryShard) {
  const std::vector<Shard> shards = cut({1, 1, 1, 5000});
  ASSERT_EQ(shards.size(), 4u);
  EXPECT_EQ(shards.back(), (Shard{3, 4}));
  EXPECT_EQ(cut({5000, 1, 1, 1}).front(), (Shard{0, 1}));
}

}  // namespace
}  // namespace weft
