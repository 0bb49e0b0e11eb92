#include "framework/pipeline/worker_pool.h"

#include <atomic>
#include <barrier>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <mutex>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include "framework/pipeline/idle_work.h"
#include "registry/base/error.h"
#include "tests/sanitizers.h"

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

// More threads than any machine of these tests has cores: they never wait awake.
constexpr int kManyThreads = 300;

TEST(WorkerPoolTest, ShortRoundsFollowEachOther) {
  for (const int threads : {2, 3, kManyThreads}) {
    WorkerPool pool(threads);
    std::vector<int> sums(4, 0);  // no atomics: the end of a round orders all writes
    for (int round = 0; round < 5000; ++round) {
      pool.run(sums.size(), [&](std::size_t i) { sums[i] += static_cast<int>(i) + round % 2; });
    }
    for (int i = 0; i < 4; ++i) EXPECT_EQ(sums[static_cast<std::size_t>(i)], 5000 * i + 2500);
  }
}

class CountedPieces final : public IdleWork {
 public:
  explicit CountedPieces(int pieces, std::chrono::microseconds each = {})
      : left_(pieces), each_(each) {}
  bool do_piece() noexcept override {
    if (left_.fetch_sub(1) <= 0) return false;
    const auto end = std::chrono::steady_clock::now() + each_;
    while (std::chrono::steady_clock::now() < end) {
    }
    ++done_;
    return true;
  }
  int done() const { return done_; }

 private:
  std::atomic<int> left_, done_ = 0;
  std::chrono::microseconds each_;
};

TEST(WorkerPoolTest, ThreadsThatWaitDoWorkThatCanWait) {
  WorkerPool pool(2);
  if (!pool.has_idle_threads()) GTEST_SKIP() << "one core";
  std::atomic<int> sum = 0;
  const auto round = [&] { pool.run(2, [&](std::size_t) { ++sum; }); };
  round();  // from here on there is a thread
  CountedPieces pieces(3000);
  pool.while_idle(pieces);
  int rounds = 1;
  for (; pieces.done() < 3000; ++rounds) round();
  EXPECT_EQ(sum, 2 * rounds);
  pool.end_idle_work();

  // Taken back in the midst of a piece.
  for (int i = 0; i < 20; ++i) {
    CountedPieces endless(1 << 30, std::chrono::microseconds(100));
    pool.while_idle(endless);
    while (endless.done() < 1) round();
    pool.end_idle_work();
    const int done = endless.done();
    std::this_thread::sleep_for(std::chrono::microseconds(400));
    EXPECT_EQ(endless.done(), done);
  }
}

// Long enough for every thread to fall asleep, or to be about to.
TEST(WorkerPoolTest, RunsRoundsAfterPauses) {
  WorkerPool pool(2);
  int sum = 0;
  std::mutex mutex;
  for (int round = 0; round < 60; ++round) {
    std::this_thread::sleep_for(std::chrono::microseconds(round * 10));
    pool.run(3, [&](std::size_t i) {
      const std::lock_guard lock(mutex);
      sum += static_cast<int>(i);
    });
  }
  EXPECT_EQ(sum, 180);
}

// The caller ends first and falls asleep until the worker is done.
TEST(WorkerPoolTest, WaitsForTasksThatTakeLong) {
  for (const int threads : {2, kManyThreads}) {
    WorkerPool pool(threads);
    std::vector<int> done(4, 0);
    for (int round = 0; round < 5; ++round) {
      pool.run(done.size(), [&](std::size_t i) {
        std::this_thread::sleep_for(std::chrono::milliseconds(2 * i));
        ++done[i];
      });
    }
    EXPECT_EQ(done, std::vector<int>(4, 5));
  }
}

TEST(WorkerPoolTest, UsesOtherThreads) {
  WorkerPool pool(3);
  std::barrier meeting(3);  // nobody passes alone
  std::set<std::thread::id> threads;
  std::mutex mutex;
  pool.run(3, [&](std::size_t) {
    meeting.arrive_and_wait();
    const std::lock_guard lock(mutex);
    threads.insert(std::this_thread::get_id());
  });
  EXPECT_EQ(threads.size(), 3U);
}

// In a process of its own, which has no room for the stack of a thread.
TEST(WorkerPoolTest, DoesAllTasksWhereNoThreadCanBeStarted) {
  if (testing_tools::kHasSanitizer) GTEST_SKIP() << "sanitizers have memory of their own";
  const auto run = [] {
    std::size_t pages = 0;
    std::ifstream("/proc/self/statm") >> pages;
    const rlim_t most = pages * static_cast<rlim_t>(::getpagesize()) + (rlim_t{1} << 20);
    const rlimit limit{most, most};
    if (::setrlimit(RLIMIT_AS, &limit) != 0) return 2;
    WorkerPool pool(4);
    std::atomic<int> tasks = 0;
    for (int round = 0; round < 3; ++round) pool.run(8, [&](std::size_t) { ++tasks; });
    return tasks == 24 ? 0 : 1;
  };
  EXPECT_EXIT(::_exit(run()), ::testing::ExitedWithCode(0), "");
}

TEST(WorkerPoolTest, EndsWhetherThreadsSleepOrNot) {
  for (int i = 0; i < 200; ++i) {
    std::atomic<int> calls = 0;
    {
      WorkerPool pool(2 + i % 3);
      pool.run(4, [&](std::size_t) { ++calls; });
      if (i % 4 == 1) std::this_thread::sleep_for(std::chrono::microseconds(i * 2));
    }
    EXPECT_EQ(calls, 4);
  }
  const WorkerPool unused(kManyThreads);
}

TEST(WorkerPoolTest, EveryRoundHasErrorsOfItsOwn) {
  WorkerPool pool(2);
  for (int round = 0; round < 500; ++round) {
    const bool throws = round % 3 == 0;
    std::string message;
    try {
      pool.run(5, [&](std::size_t i) {
        if (throws && i > 0) throw std::runtime_error(std::to_string(i));
      });
    } catch (const std::runtime_error& error) {
      message = error.what();
    }
    EXPECT_EQ(message, throws ? "1" : "");
  }
}

TEST(WorkerPoolTest, OneThreadRunsAllTasksWhateverTheyThrow) {
  WorkerPool pool(1);
  std::vector<std::size_t> order;
  EXPECT_THROW(pool.run(4,
                        [&](std::size_t i) {
                          order.push_back(i);
                          if (i % 2 == 1) throw std::runtime_error(std::to_string(i));
                        }),
               std::runtime_error);
  EXPECT_EQ(order, (std::vector<std::size_t>{0, 1, 2, 3}));
}

TEST(WorkerPoolTest, TasksOfARoundRunTheirOwn) {
  for (const int threads : {2, 3, kManyThreads}) {
    WorkerPool pool(threads);
    std::vector<std::vector<int>> sums(6, std::vector<int>(5, 0));
    for (int round = 0; round < 500; ++round) {
      pool.run(sums.size(), [&](std::size_t i) {
        for (int again = 0; again < 3; ++again) {
          pool.run(5, [&, i](std::size_t j) { sums[i][j] += static_cast<int>(j); });
        }
      });
    }
    EXPECT_EQ(sums, std::vector<std::vector<int>>(6, {0, 1500, 3000, 4500, 6000}));
  }
}

// On a busy machine an idle thread may be asleep before it can help: then in another round.
TEST(WorkerPoolTest, WhoHasNothingToDoHelpsWithTheTasksOfTasks) {
  if (std::thread::hardware_concurrency() < 2) GTEST_SKIP() << "threads do not wait awake here";
  WorkerPool pool(2);
  std::set<std::thread::id> helpers;
  std::mutex mutex;
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  while (helpers.size() < 2 && std::chrono::steady_clock::now() < end) {
    helpers.clear();
    pool.run(2, [&](std::size_t i) {
      for (int again = 0; again < 10 && i == 0; ++again) {
        pool.run(2, [&](std::size_t) {
          std::this_thread::sleep_for(std::chrono::microseconds(200));
          const std::lock_guard lock(mutex);
          helpers.insert(std::this_thread::get_id());
        });
      }
    });
  }
  EXPECT_EQ(helpers.size(), 2U);
}

TEST(WorkerPoolTest, TasksOfTasksThrowTheErrorOfTheLowest) {
  WorkerPool pool(2);
  for (int round = 0; round < 200; ++round) {
    std::vector<std::string> messages(3);
    pool.run(messages.size(), [&](std::size_t i) {
      try {
        pool.run(4, [](std::size_t j) {
          if (j > 0) throw std::runtime_error(std::to_string(j));
        });
      } catch (const std::runtime_error& error) {
        messages[i] = error.what();
      }
    });
    EXPECT_EQ(messages, std::vector<std::string>(3, "1"));
  }
}

TEST(WorkerPoolTest, TheOnlyTaskOfARoundHasTheOtherThreads) {
  WorkerPool pool(2);
  std::barrier meeting(2);
  int calls = 0;
  pool.run(1, [&](std::size_t) {
    pool.run(2, [&](std::size_t) { meeting.arrive_and_wait(); });
    ++calls;
  });
  EXPECT_EQ(calls, 1);
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
