// Texts between ranks of which one is late.
#include <array>
#include <cstdint>
#include <cstring>
#include <future>

#include <gtest/gtest.h>

#include "framework/comm/comm_error.h"
#include "framework/comm/communicator.h"
#include "tests/framework/comm/idle_engine.h"

namespace weft {
namespace {

// Gathers when it is told to, and then says which length it was given.
class Late final : public IdleEngine {
 public:
  Late(std::shared_future<void> start, std::promise<std::uint64_t>& seen)
      : IdleEngine(0), start_(std::move(start)), seen_(seen) {}
  void all_gather_v(const void* in, void* out, std::span<const std::size_t> bytes) override {
    start_.wait();
    std::uint64_t length = 0;
    std::memcpy(&length, in, sizeof length);
    std::memset(out, 0, bytes[0] + bytes[1]);
    seen_.set_value(length);
  }

 private:
  std::shared_future<void> start_;
  std::promise<std::uint64_t>& seen_;
};

// Where variables of the call before this one stood.
[[gnu::noinline]] void overwrite_stack() {
  std::array<volatile char, 1 << 14> bytes;
  for (volatile char& byte : bytes) byte = 0x55;
}

// Somebody who waited for the texts has gone on, and the engine still uses the memory.
TEST(TextsOfRanks, MemoryLastsUntilALateRankHasCome) {
  std::promise<void> start;
  std::promise<std::uint64_t> seen;
  Communicator comm(std::make_unique<Late>(start.get_future().share(), seen), "late",
                    {.deadline = std::chrono::milliseconds(30)});
  EXPECT_THROW(all_gather_texts(comm, "seven b"), TimedOut);
  overwrite_stack();
  start.set_value();
  EXPECT_EQ(seen.get_future().get(), 7U);
}

}  // namespace
}  // namespace weft
