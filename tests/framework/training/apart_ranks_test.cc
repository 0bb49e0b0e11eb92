// Ranks that go on by themselves between meetings, with one weight whose gradient is the number of
// tokens. Forked ranks; skipped without Gloo.
#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "framework/comm/open_engine.h"
#include "framework/pipeline/worker_pool.h"
#include "framework/training/async_ranks.h"
#include "framework/training/local_ranks.h"
#include "framework/training/step.h"
#include "tests/framework/comm/engine_body.h"
#include "tests/framework/pipeline/one_weight_component.h"
#include "tests/framework/training/ruled_descent.h"

namespace weft {
namespace {

using ::testing::Each;
using testing::run_forked;

// The parts of a run on one rank.
class OneRank {
 public:
  explicit OneRank(RunRanks& ranks) : ranks_(ranks) {
    nlp_.add({"one", component_});
    precision_ = std::make_unique<PrecisionSession>(make_precision_policy({}), nlp_, runner_,
                                                    optimizer_, [](const Notice&) {});
    step_.emplace(runner_, optimizer_, *precision_, &ranks_);
    runner_.parameters();
    ranks_.begin(runner_, optimizer_);
  }
  // A step with documents of these lengths, the same on all ranks.
  void take(const std::vector<int>& lengths) {
    std::vector<Example> examples = testing::documents_of(nlp_, lengths);
    const std::vector<Example*> all = testing::pointers_to(examples);
    losses_ = step_->run({.number = number_, .examples = all});
    ranks_.stepped(static_cast<std::int64_t>(number_++));
  }
  float weight() const { return component_->weight().value.data<float>()[0]; }
  Losses& losses() { return losses_; }
  testing::OneWeight& component() { return *component_; }

 private:
  RunRanks& ranks_;
  Language nlp_{Config(), testing::plain_settings()};
  std::shared_ptr<testing::OneWeight> component_ = std::make_shared<testing::OneWeight>();
  WorkerPool pool_{1};
  ShardRunner runner_{nlp_, pool_, {}};
  RuledDescent optimizer_{0.5};
  std::unique_ptr<PrecisionSession> precision_;
  std::optional<TrainingStep> step_;
  std::uint64_t number_ = 0;
  Losses losses_;
};

std::shared_ptr<Communicator> shared(Communicator& comm) {
  return {std::shared_ptr<Communicator>(), &comm};
}

bool is_alike_everywhere(Communicator& comm, float weight) {
  const auto all = all_gather_texts(comm, std::to_string(weight));
  return std::count(all.begin(), all.end(), all.front()) == static_cast<std::ptrdiff_t>(all.size());
}

class ApartRanksTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (const std::string why = why_no_engine("gloo"); !why.empty()) GTEST_SKIP() << why;
  }
};

// A mean after every step is what a step of the whole batch gives: 0.5 * (2 + 6), whichever rank
// has which document.
TEST_F(ApartRanksTest, LocalWithAMeanAfterEachStepIsAStepOfTheWholeBatch) {
  const auto codes = run_forked(2, [](Communicator& comm) {
    LocalRanks ranks(shared(comm), {.steps = 1});
    OneRank one(ranks);
    one.take({2, 6});
    if (one.weight() != -4.0F) return 1;
    one.take({3, 4});
    return one.weight() == -7.5F ? 0 : 2;
  });
  EXPECT_THAT(codes, Each(0));
}

TEST_F(ApartRanksTest, LocalWeightsAreApartUntilTheyAreAveraged) {
  const auto codes = run_forked(3, [](Communicator& comm) {
    LocalRanks ranks(shared(comm), {.steps = 2});
    OneRank one(ranks);
    one.take({1, 2, 6});
    if (is_alike_everywhere(comm, one.weight())) return 1;
    if (ranks.interrupted(false, false)) return 2;
    one.take({1, 2, 6});
    if (!is_alike_everywhere(comm, one.weight()) || one.weight() != -9.0F) return 3;
    one.take({1, 2, 6});
    // Something that all do together comes next, and one is interrupted.
    if (!ranks.interrupted(comm.rank() == 1, true)) return 4;
    if (!is_alike_everywhere(comm, one.weight()) || one.weight() != -13.5F) return 5;
    // Each has counted the tokens of its own document.
    ranks.gather_losses(one.losses());
    const double all = ranks.is_root() ? one.losses().at("one") : 9.0;
    return all == 9.0 && (ranks.is_root() || one.losses().empty()) ? 0 : 6;
  });
  EXPECT_THAT(codes, Each(0));
}

// As a layer does when a label comes late: the others, at other steps, have the old size.
TEST_F(ApartRanksTest, AsyncRanksRefuseAnArrayThatGrows) {
  const auto codes = run_forked(2, [](Communicator& comm) {
    AsyncRanks ranks(shared(comm), {});
    OneRank one(ranks);
    one.take({1, 2});
    const_cast<Parameter&>(one.component().weight()).value = Tensor::zeros({2});
    try {
      one.take({1, 2});
    } catch (const Error& error) {
      return error.kind() == ErrorKind::data &&
                     error.message().find("init labels") != std::string::npos
                 ? 0
                 : 1;
    }
    return 2;
  });
  EXPECT_THAT(codes, Each(0));
}

TEST_F(ApartRanksTest, AsyncRanksHaveTheSameWeightsWhereTheyMeet) {
  const auto codes = run_forked(3, [](Communicator& comm) {
    AsyncRanks ranks(shared(comm), {});
    OneRank one(ranks);
    for (int meeting = 1; meeting <= 3; ++meeting) {
      for (int step = 0; step < 10; ++step) {
        if (comm.rank() == 1) ::usleep(2000);
        one.take({1, 2, 6});
        if (ranks.interrupted(false, false)) return 1;
      }
      if (ranks.interrupted(false, true)) return 2;
      if (!is_alike_everywhere(comm, one.weight()) || one.weight() >= 0.0F) return 3;
      const GradientCounts counts = *ranks.gradient_counts();
      if (counts.used + counts.stale != 30 * meeting) return 4;
    }
    return 0;
  });
  EXPECT_THAT(codes, Each(0));
}

// Rank 0 owns the weight and steps with two gradients of its own; rank 1 sends one that is of the
// weights before.
TEST_F(ApartRanksTest, AsyncOwnersDropStaleGradientsAndCountThem) {
  for (const std::int64_t most : {0, 1}) {
    const auto codes = run_forked(2, [most](Communicator& comm) {
      AsyncRanks ranks(shared(comm), {.max_staleness = most});
      OneRank one(ranks);
      for (int step = 0; step < 2 && comm.rank() == 0; ++step) one.take({2, 6});
      if (one.weight() != (comm.rank() == 0 ? -2.0F : 0.0F)) return 1;
      comm.barrier().wait();
      for (int step = 0; step < 2 && comm.rank() == 1; ++step) one.take({2, 6});
      ranks.interrupted(false, true);
      if (!is_alike_everywhere(comm, one.weight())) return 2;
      const GradientCounts counts = *ranks.gradient_counts();
      if (counts.used + counts.stale != 4) return 3;
      if (most == 1) return counts.stale == 0 ? 0 : 4;
      return counts.stale >= 1 && counts.used >= 2 ? 0 : 5;
    });
    EXPECT_THAT(codes, Each(0)) << most;
  }
}

// Messages of steps that one rank was ahead of the other once do not wait for ever: in step again,
// both mostly have weights that are new enough.
TEST_F(ApartRanksTest, AsyncRanksCatchUpWithMessagesThatWait) {
  const auto codes = run_forked(2, [](Communicator& comm) {
    AsyncRanks ranks(shared(comm), {.max_staleness = 4, .max_ahead = 8});
    OneRank one(ranks);
    for (int step = 0; step < 8 && comm.rank() == 1; ++step) one.take({2, 6});
    comm.barrier().wait();
    for (int step = 0; step < 8 && comm.rank() == 0; ++step) one.take({2, 6});
    const auto in_step = [&](int steps) {
      for (int step = 0; step < steps; ++step) {
        comm.barrier().wait();
        one.take({2, 6});
      }
      return *ranks.gradient_counts();
    };
    const GradientCounts before = in_step(10), after = in_step(30);
    // Of 60, of which half are too old where each step takes one message of those that wait.
    return after.used - before.used >= 42 ? 0 : 1;
  });
  EXPECT_THAT(codes, Each(0));
}

TEST_F(ApartRanksTest, AnInterruptedAsyncRankMakesTheOthersMeet) {
  const auto codes = run_forked(2, [](Communicator& comm) {
    AsyncRanks ranks(shared(comm), {});
    OneRank one(ranks);
    for (int step = 0; step < 1000; ++step) {
      one.take({2, 6});
      if (ranks.interrupted(comm.rank() == 1 && step == 7, false)) {
        return is_alike_everywhere(comm, one.weight()) ? 0 : 1;
      }
    }
    return 2;
  });
  EXPECT_THAT(codes, Each(0));
}

TEST_F(ApartRanksTest, AsyncWaitsForALostRankEnd) {
  const auto codes = run_forked(2, [](Communicator& comm) {
    AsyncRanks ranks(shared(comm), {});
    OneRank one(ranks);
    try {
      for (int step = 0; step < 100; ++step) {
        one.take({2, 6});  // on a busy machine the other one is lost during the first step already
        if (comm.rank() == 1) ::raise(SIGKILL);
      }
    } catch (const PeerLost&) {
      return 0;
    }
    return 1;
  });
  EXPECT_EQ(codes, (std::vector<int>{0, 128 + SIGKILL}));
}

TEST_F(ApartRanksTest, AsyncGoesNoFurtherAheadThanItMayAndEndsByTheDeadline) {
  const auto codes = run_forked(2, [](Communicator& comm) {
    AsyncRanks ranks(shared(comm), {.max_ahead = 3});
    OneRank one(ranks);
    comm.set_deadline(std::chrono::milliseconds(300));
    if (comm.rank() == 1) {
      ::usleep(1'500'000);
      return 0;
    }
    int steps = 0;
    try {
      for (; steps < 100; ++steps) one.take({2, 6});
    } catch (const TimedOut& error) {
      const bool tells = std::string(error.what()).find("rank 1 gave no sign") != std::string::npos;
      return tells && steps == 3 ? 0 : 1;
    }
    return 2;
  });
  EXPECT_THAT(codes, Each(0));
}

// Its own documents are at fault, which the owner of the weight could not tell.
TEST_F(ApartRanksTest, AGradientThatIsNoNumberEndsTheRunWhereItArises) {
  const auto codes = run_forked(2, [](Communicator& comm) {
    AsyncRanks ranks(shared(comm), {});
    OneRank one(ranks);
    if (comm.rank() == 1) {
      one.component().loss_of = [](ShardUpdate&) { return std::nan(""); };
      try {
        one.take({2, 6});
      } catch (const Error& error) {
        const bool is_told = error.kind() == ErrorKind::diverged && !ranks.fail(error);
        return is_told ? 0 : 1;
      }
      return 2;
    }
    try {
      for (int step = 0; step < 100; ++step) one.take({2, 6});
    } catch (const PeerLost&) {
      return 0;
    }
    return 3;
  });
  EXPECT_THAT(codes, Each(0));
}

}  // namespace
}  // namespace weft
