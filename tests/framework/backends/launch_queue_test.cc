// The thread that hands launches to a driver: order, errors, its end.
#include "framework/backends/cuda/launch_queue.h"

#include <atomic>
#include <chrono>
#include <functional>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace weft::cuda {
namespace {

using ::testing::ElementsAre;

std::string error_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const std::exception& error) {
    return error.what();
  }
  return "none";
}

TEST(LaunchQueue, WorkIsDoneInOrderByAThreadOfItsOwn) {
  std::vector<int> done;
  std::thread::id thread;
  LaunchQueue queue([&] { thread = std::this_thread::get_id(); });
  for (int i = 0; i < 1000; ++i) queue.post([&done, i] { done.push_back(i); });
  queue.finish();
  EXPECT_NE(thread, std::this_thread::get_id());
  ASSERT_EQ(done.size(), 1000U);
  for (int i = 0; i < 1000; ++i) EXPECT_EQ(done[static_cast<std::size_t>(i)], i);
}

TEST(LaunchQueue, WorkThatIsPostedByWorkComesInItsPlace) {
  std::vector<int> done;
  LaunchQueue queue([] {});
  queue.post([&] {
    EXPECT_TRUE(queue.is_at_work());
    done.push_back(1);
    queue.post([&] { done.push_back(2); });
    queue.finish();
    done.push_back(3);
  });
  queue.post([&] { done.push_back(4); });
  queue.finish();
  EXPECT_FALSE(queue.is_at_work());
  EXPECT_THAT(done, ElementsAre(1, 2, 3, 4));
}

TEST(LaunchQueue, ASleepingThreadIsWoken) {
  std::atomic<int> done = 0;
  LaunchQueue queue([] {});
  for (int i = 0; i < 20; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(2));  // it stays awake for less
    queue.post([&] { ++done; });
  }
  queue.finish();
  EXPECT_EQ(done, 20);
}

// Work that was posted by then relies on the work that failed.
TEST(LaunchQueue, BehindAnErrorWorkIsGivenUpUntilItIsTold) {
  std::atomic<bool> goes_on = false;
  std::vector<int> done;
  LaunchQueue queue([] {});
  queue.post([&] {
    while (!goes_on) std::this_thread::yield();
    throw std::runtime_error("the driver");
  });
  for (int i = 0; i < 10; ++i) queue.post([&] { done.push_back(1); });
  goes_on = true;
  queue.wait();
  EXPECT_EQ(error_of([&] { queue.post([&] { done.push_back(2); }); }), "the driver");
  EXPECT_EQ(error_of([&] { queue.finish(); }), "none") << "it is told once";
  queue.post([&] { done.push_back(3); });
  queue.finish();
  EXPECT_THAT(done, ElementsAre(3));
}

// A thread that waits for work that was given up is told, though the error was another thread's and
// that one was told too; a thread that relies on none of it goes on.
TEST(LaunchQueue, EveryThreadWhoseWorkWasGivenUpIsTold) {
  LaunchQueue queue([] {});
  std::atomic<int> ready = 0, stage = 0;
  const auto wait_for = [&](int wanted) {
    while (stage < wanted) std::this_thread::yield();
  };
  std::string of_second = "none", of_third = "none", of_fourth = "none";
  std::atomic<bool> is_done = false;
  std::thread second([&] {
    queue.post([] {});
    queue.finish();
    ++ready;
    wait_for(1);
    queue.post([&] { is_done = true; });
    ++stage;
    wait_for(4);
    of_second = error_of([&] { queue.finish(); });
  });
  std::thread third([&] {
    wait_for(2);
    queue.rely();  // on what another thread posts for it
    ++stage;
    wait_for(4);
    of_third = error_of([&] { queue.post([] {}); });
  });
  std::thread fourth([&] {
    queue.post([] {});
    queue.finish();
    ++ready;
    wait_for(4);
    of_fourth = error_of([&] { queue.post([] {}); });
  });
  while (ready < 2) std::this_thread::yield();
  std::atomic<bool> fails = false;
  queue.post([&] {
    while (!fails) std::this_thread::yield();
    throw std::runtime_error("the driver");
  });
  ++stage;
  wait_for(3);
  queue.post([] {});
  fails = true;
  EXPECT_EQ(error_of([&] { queue.finish(); }), "the driver");
  ++stage;
  for (std::thread* thread : {&second, &third, &fourth}) thread->join();
  EXPECT_EQ(of_second, "the driver");
  EXPECT_EQ(of_third, "the driver");
  EXPECT_EQ(of_fourth, "none");
  EXPECT_FALSE(is_done);
}

TEST(LaunchQueue, AnErrorOfItsBeginIsTold) {
  LaunchQueue queue([] { throw std::runtime_error("no such device"); });
  std::string told = "none";
  while (told == "none") told = error_of([&] { queue.finish(); });
  EXPECT_EQ(told, "no such device");
  bool is_done = false;
  queue.post([&] { is_done = true; });
  queue.wait();
  EXPECT_FALSE(is_done) << "on no device";
}

TEST(LaunchQueue, AtItsEndEverythingIsDone) {
  std::atomic<int> done = 0;
  {
    LaunchQueue queue([] {});
    for (int i = 0; i < 100; ++i) queue.post([&] { ++done; });
  }
  EXPECT_EQ(done, 100);
}

TEST(LaunchQueue, SeveralThreadsMayPost) {
  int done = 0;  // by one thread
  LaunchQueue queue([] {});
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < 500; ++i) queue.post([&] { ++done; });
      queue.finish();
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(done, 2000);
}

}  // namespace
}  // namespace weft::cuda
