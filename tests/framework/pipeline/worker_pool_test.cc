#include "framework/pipeline/worker_pool.h"

#include <atomic>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "registry/error.h"

namespace weft {
namespace {

TEST(WorkerPoolTest, RunsEachTaskOnceInEveryRound) {
  for (const int threads : {1, 2, 5}) {
    WorkerPool pool(threads);
    for (int round = 0; round < 200; ++round) {
      std::vector<std::atomic<int>> calls(static_cast<std::size_t>(round % 9));
      pool.run(calls.size(), [&](std::size_t i) { ++calls[i]; });
      for (const auto& count : calls) EXPECT_EQ(count, 1);
    }
  }
}

TEST(WorkerPoolTest, ThrowsTheErrorOfTheLowestTask) {
  WorkerPool pool(3);
  std::atomic<int> finished = 0;
  try {
    pool.run(8, [&](std::size_t i) {
      if (i == 2 || i == 6) throw std::runtime_error(std::to_string(i));
      ++finished;
    });
    FAIL();
  } catch (const std::runtime_error& error) {
    EXPECT_STREQ(error.what(), "2");
  }
  EXPECT_EQ(finished, 6);
  pool.run(4, [&](std::size_t) { ++finished; });
  EXPECT_EQ(finished, 10);
}

#if defined(__SSE__)
TEST(WorkerPoolTest, FlushesDenormalsInsideTasksOnly) {
  volatile float tiny = 1e-38f;
  WorkerPool pool(2);
  std::vector<float> halves(16, 1.0f);
  pool.run(halves.size(), [&](std::size_t i) { halves[i] = tiny * 0.1f; });
  for (const float half : halves) EXPECT_EQ(half, 0.0f);
  volatile float outside = tiny * 0.1f;
  EXPECT_GT(outside, 0.0f);
}
#endif

TEST(WorkerPoolTest, ThreadsFromTheEnvironment) {
  ::setenv("WEFT_NUM_THREADS", "3", 1);
  EXPECT_EQ(choose_threads(0), 3);
  EXPECT_EQ(choose_threads(2), 2);
  ::setenv("WEFT_NUM_THREADS", "many", 1);
  EXPECT_THROW(choose_threads(0), Error);
  ::unsetenv("WEFT_NUM_THREADS");
  EXPECT_GE(choose_threads(0), 1);
}

}  // namespace
}  // namespace weft
