// Ranks in step: what they decide together about a step.
#include "framework/training/sync_ranks.h"

#include <cstring>
#include <memory>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/framework/comm/idle_engine.h"

namespace weft {
namespace {

// The other rank says the same as this one, but for its loss scale.
class Echo final : public IdleEngine {
 public:
  explicit Echo(const RankScale& scale) : IdleEngine(0), scale_(scale) {}
  void all_gather_v(const void* in, void* out, std::span<const std::size_t> bytes) override {
    auto* to = static_cast<char*>(out);
    std::memcpy(to, in, bytes[0]);
    std::memcpy(to + bytes[0], in, bytes[1]);
    const bool is_length = bytes[1] == sizeof(std::uint64_t);
    if (!is_length) std::memcpy(to + bytes[0], &scale_, sizeof scale_);
  }

 private:
  RankScale scale_;
};

StepGradients agreed(const RankScale& mine, const RankScale& other) {
  SyncRanks ranks(std::make_shared<Communicator>(std::make_unique<Echo>(other), "echo"), {});
  return ranks.agree({GradientStatus::non_finite, {"ner/W"}}, mine);
}

TEST(SyncRanks, OfOneScaleDecideTogether) {
  const StepGradients gradients = agreed({1024.0F, 3}, {1024.0F, 3});
  EXPECT_EQ(gradients.status, GradientStatus::non_finite);
  EXPECT_THAT(gradients.bad, ::testing::ElementsAre("ner/W"));
}

TEST(SyncRanks, OfDifferentScalesStopTheRun) {
  for (const RankScale& other : {RankScale{512.0F, 3}, RankScale{1024.0F, 4}}) {
    EXPECT_THAT(
        [&] {
          agreed({1024.0F, 3}, other);
        },
        ::testing::ThrowsMessage<Error>(::testing::HasSubstr("P040")));
  }
}

}  // namespace
}  // namespace weft
