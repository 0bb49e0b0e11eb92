#include "framework/training/parts_exchange.h"

#include <cstdint>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "framework/comm/open_engine.h"
#include "tests/framework/comm/engine_body.h"

namespace weft {
namespace {

using ::testing::Each;

// The parts of each rank, which stand in two arrays of every rank: more than fits into two rounds,
// none at all, and a byte.
class Weights {
 public:
  Weights() : first_(kLong), second_(kLong + 1) {}

  std::vector<PartsInTurn> parts() {
    const std::span first(first_), second(second_);
    return {PartsInTurn({first, second.first(kLong)}), PartsInTurn({}),
            PartsInTurn({second.last(1)})};
  }
  void fill(int rank) {
    for (PartsInTurn& part : parts_of(rank)) {
      std::vector<std::byte> bytes(part.left());
      for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = value_of(rank, i);
      part.put(bytes.data(), bytes.size());
    }
  }
  bool are_filled(int rank) {
    for (PartsInTurn& part : parts_of(rank)) {
      std::vector<std::byte> bytes(part.left());
      part.take(bytes.data(), bytes.size());
      for (std::size_t i = 0; i < bytes.size(); ++i) {
        if (bytes[i] != value_of(rank, i)) return false;
      }
    }
    return true;
  }

 private:
  static constexpr std::size_t kLong = 5'000'001;
  static std::byte value_of(int rank, std::size_t i) {
    return static_cast<std::byte>((static_cast<std::size_t>(rank) + 3 + i + i / 251) % 256);
  }
  std::vector<PartsInTurn> parts_of(int rank) { return {parts()[static_cast<std::size_t>(rank)]}; }

  std::vector<std::byte> first_, second_;
};

TEST(PartsExchange, EveryRankHasThePartsOfAll) {
  if (const std::string why = why_no_engine("gloo"); !why.empty()) GTEST_SKIP() << why;
  const auto codes = testing::run_forked(3, [](Communicator& comm) {
    PartsExchange::Memory memory;
    for (int time = 0; time < 2; ++time) {
      Weights weights;
      weights.fill(comm.rank());
      PartsExchange(comm, weights.parts(), memory).run();
      for (int rank = 0; rank < comm.size(); ++rank) {
        if (!weights.are_filled(rank)) return 1 + rank;
      }
      if (memory.size() != 2) return 10;  // the second time needs no more
    }
    return 0;
  });
  EXPECT_THAT(codes, Each(0));
}

}  // namespace
}  // namespace weft
