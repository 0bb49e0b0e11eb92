// The communicator by itself, on an engine that is made up.
#include "framework/comm/communicator.h"

#include <atomic>
#include <future>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "framework/comm/chunks.h"
#include "tests/framework/comm/idle_engine.h"

namespace weft {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

// Its barrier ends when it is told to.
class Hanging final : public IdleEngine {
 public:
  explicit Hanging(std::shared_future<void> end) : IdleEngine(1), end_(std::move(end)) {}
  void broadcast(void*, std::size_t, int) override { throw PeerLost("the line is dead"); }
  void barrier() override { end_.wait(); }

 private:
  std::shared_future<void> end_;
};

class CommunicatorTest : public testing::Test {
 protected:
  ~CommunicatorTest() override { end_.set_value(); }
  std::promise<void> end_;
  Communicator comm_{std::make_unique<Hanging>(end_.get_future().share()),
                     "hanging",
                     {.deadline = std::chrono::milliseconds(50)}};
};

TEST_F(CommunicatorTest, AWaitEndsByItsDeadline) {
  const Work barrier = comm_.barrier();
  EXPECT_FALSE(barrier.is_done());
  EXPECT_THAT([&] { barrier.wait(); }, ThrowsMessage<TimedOut>(HasSubstr("rank 1 (")));
  EXPECT_GE(comm_.seconds_waited(), 0.05);
}

TEST_F(CommunicatorTest, AnAbortEndsWaitsAtOnceAndForbidsMore) {
  comm_.set_deadline(std::chrono::seconds(60));
  const Work barrier = comm_.barrier();
  std::thread other([&] { comm_.abort("out of paper"); });
  EXPECT_THAT([&] { barrier.wait(); }, ThrowsMessage<PeerLost>("out of paper"));
  other.join();
  EXPECT_THAT([&] { comm_.barrier(); }, ThrowsMessage<PeerLost>("out of paper"));
}

TEST_F(CommunicatorTest, ErrorsOfTheEngineComeToTheOneThatWaits) {
  float number = 0.0F;
  const Work work = comm_.broadcast({&number, 1, DType::f32}, 0);
  EXPECT_THAT([&] { work.wait(); }, ThrowsMessage<PeerLost>("the line is dead"));
}

TEST_F(CommunicatorTest, KeepsMemoryOfOperationsThatHang) {
  auto memory = std::make_shared<float>(1.0F);
  const std::weak_ptr<float> watched = memory;
  comm_.barrier();
  comm_.all_reduce({memory.get(), 1, DType::f32}, ReduceOp::sum, memory);
  memory.reset();
  EXPECT_FALSE(watched.expired());
}

TEST_F(CommunicatorTest, PartsHaveToFit) {
  float in = 0.0F, out = 0.0F;
  const CommBuffer to{&out, 1, DType::f32};
  EXPECT_THROW(comm_.all_gather({&in, 1, DType::f32}, to), Error);
  EXPECT_THROW(comm_.all_gather_v({&in, 1, DType::f32}, to, {4}), Error);
  EXPECT_THROW(comm_.all_to_all_v({&in, 1, DType::f32}, {4, 4}, to, {0, 0}), Error);
}

// Counts beyond 2^31, of which no memory is needed here.
TEST(Chunks, CoverLongArraysOnce) {
  std::size_t end = 0, calls = 0;
  for_each_chunk((std::size_t{1} << 33) + 5, std::size_t{1} << 30,
                 [&](std::size_t begin, std::size_t count) {
                   EXPECT_EQ(begin, end);
                   EXPECT_LE(count, std::size_t{1} << 30);
                   end = begin + count;
                   ++calls;
                 });
  EXPECT_EQ(end, (std::size_t{1} << 33) + 5);
  EXPECT_EQ(calls, 9U);
  for_each_chunk(0, 4, [](std::size_t, std::size_t) { FAIL() << "nothing is there"; });
}

}  // namespace
}  // namespace weft
