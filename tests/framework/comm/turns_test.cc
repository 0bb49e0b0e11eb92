#include "framework/comm/turns.h"

#include <algorithm>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

namespace weft {
namespace {

using Clock = std::chrono::steady_clock;

TEST(Turns, OneThreadAtATime) {
  Turns turns;
  int inside = 0, most = 0, passed = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      for (int again = 0; again < 200; ++again) {
        const std::unique_lock lock(turns, Clock::now() + std::chrono::minutes(5));
        ASSERT_TRUE(lock);
        most = std::max(most, ++inside);
        --inside;
        ++passed;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(most, 1);
  EXPECT_EQ(passed, 800);
}

TEST(Turns, NobodyWaitsBeyondTheDeadline) {
  Turns turns;
  const std::unique_lock first(turns, Clock::now());
  ASSERT_TRUE(first);
  const auto deadline = Clock::now() + std::chrono::milliseconds(20);
  const std::unique_lock second(turns, deadline);
  EXPECT_FALSE(second);
  EXPECT_GE(Clock::now(), deadline);
}

}  // namespace
}  // namespace weft
