#include "framework/tensor/object_pool.h"

#include <memory>
#include <optional>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

namespace weft {
namespace {

using Numbers = ObjectPool<std::vector<int>>;

std::size_t idle(const Numbers& pool) {
  std::size_t count = 0;
  pool.for_each_idle([&](const std::vector<int>&) { ++count; });
  return count;
}

TEST(ObjectPool, NextCallerGetsTheObjectAsItWasLeft) {
  Numbers pool;
  const std::vector<int>* first = nullptr;
  {
    const Numbers::Lease lease(pool);
    lease->assign(100, 7);
    first = &*lease;
  }
  const Numbers::Lease lease(pool);
  EXPECT_EQ(&*lease, first);
  EXPECT_EQ(lease->size(), 100U);
}

TEST(ObjectPool, ObjectsHeldAtOnceAreDifferentAndAllComeBack) {
  Numbers pool;
  {
    const Numbers::Lease left(pool);
    const Numbers::Lease right(pool);
    EXPECT_NE(&*left, &*right);
    EXPECT_EQ(idle(pool), 0U);
  }
  EXPECT_EQ(idle(pool), 2U);
  pool.clear();
  EXPECT_EQ(idle(pool), 0U);
}

// Its caches hold what it wrote there.
TEST(ObjectPool, AThreadGetsTheObjectThatItLeft) {
  Numbers pool;
  auto own = std::make_optional<Numbers::Lease>(pool);
  const std::vector<int>* const left_here = &**own;
  auto others = std::make_optional<Numbers::Lease>(pool);
  const std::vector<int>* const left_there = &**others;
  own.reset();
  std::thread([&] { others.reset(); }).join();
  EXPECT_EQ(&*Numbers::Lease(pool), left_here);
  const Numbers::Lease first(pool), second(pool);
  EXPECT_EQ(&*first, left_here);
  EXPECT_EQ(&*second, left_there);
  EXPECT_EQ(idle(pool), 0U);
}

TEST(ObjectPool, ALeaseThatIsReplacedGivesItsObjectBack) {
  Numbers pool;
  {
    Numbers::Lease lease(pool);
    const std::vector<int>* first = &*lease;
    lease = Numbers::Lease(pool);
    EXPECT_NE(&*lease, first);
    EXPECT_EQ(idle(pool), 1U);
    lease = {};
    EXPECT_EQ(idle(pool), 2U);
  }
  EXPECT_EQ(idle(pool), 2U);
}

TEST(ObjectPool, ObjectsAreMadeAsAsked) {
  Numbers pool([] { return std::vector<int>{1, 2, 3}; });
  const Numbers::Lease lease(pool);
  EXPECT_EQ(*lease, (std::vector<int>{1, 2, 3}));
}

// No two threads hold the same object: the counts would not add up.
TEST(ObjectPool, ThreadsShareAPool) {
  constexpr int kThreads = 4, kRounds = 2000;
  Numbers pool([] { return std::vector<int>{0}; });
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i) {
    threads.emplace_back([&] {
      for (int round = 0; round < kRounds; ++round) ++Numbers::Lease(pool)->front();
    });
  }
  for (std::thread& thread : threads) thread.join();
  int sum = 0;
  pool.for_each_idle([&](const std::vector<int>& object) { sum += object.front(); });
  EXPECT_EQ(sum, kThreads * kRounds);
  EXPECT_LE(idle(pool), static_cast<std::size_t>(kThreads));
}

}  // namespace
}  // namespace weft
