#include "framework/ops/work_record.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "framework/ops/op_profile.h"
#include "framework/pipeline/worker_pool.h"

namespace weft {
namespace {

using std::chrono::seconds;
using ::testing::DoubleNear;
using ::testing::ElementsAre;

// Time passes where a test says so.
class WorkRecordTest : public ::testing::Test {
 protected:
  WorkRecord::Clock::time_point now_;
  WorkRecord record_{{1, 2, 4}, [this] { return now_; }};
  WorkerPool pool_{1};
  OpProfile profile_;

  void pass(int time) { now_ += seconds(time); }
  // An op that takes so long, and opens `count` tasks that take `each`.
  void run_op(int own, std::size_t count = 0, int each = 0) {
    pass(own);
    pool_.run(count, [&](std::size_t) { pass(each); });
    profile_.add("layer", "op", seconds(own + static_cast<int>(count) * each), 0, 0);
  }
};

::testing::Matcher<double> about(double value) {
  return DoubleNear(value, 1e-9);
}

TEST_F(WorkRecordTest, WorkOutsideOfRoundsStaysWithOneThread) {
  {
    const WorkRecordScope scope(record_);
    pass(3);
    pool_.run(4, [&](std::size_t) { pass(2); });
    pass(1);
  }
  EXPECT_THAT(record_.seconds(), about(12));
  EXPECT_THAT(record_.single(), about(4));
  EXPECT_THAT(record_.expected(), ElementsAre(about(12), about(8), about(6)));
}

TEST_F(WorkRecordTest, TasksGoToTheThreadThatIsFreeFirst) {
  {
    const WorkRecordScope scope(record_);
    pool_.run(5, [&](std::size_t i) { pass(i == 0 ? 4 : 1); });
  }
  EXPECT_THAT(record_.expected(), ElementsAre(about(8), about(4), about(4)));
}

TEST_F(WorkRecordTest, FewTasksShareTheThreadsForTheirOwnRounds) {
  {
    const WorkRecordScope scope(record_);
    pool_.run(2, [&](std::size_t) {
      pass(1);
      pool_.run(2, [&](std::size_t) { pass(2); });
    });
  }
  EXPECT_THAT(record_.seconds(), about(10));
  EXPECT_THAT(record_.expected(), ElementsAre(about(10), about(5), about(3)));
  EXPECT_THAT(record_.single(), about(0));
}

TEST_F(WorkRecordTest, ARoundOfOneTaskIsNone) {
  {
    const WorkRecordScope scope(record_);
    pool_.run(1, [&](std::size_t) {
      pass(3);
      pool_.run(4, [&](std::size_t) { pass(1); });
    });
  }
  EXPECT_THAT(record_.single(), about(3));
  EXPECT_THAT(record_.expected(), ElementsAre(about(7), about(5), about(4)));
}

TEST_F(WorkRecordTest, OpsAreDividedByTheTasksThatTheyRunIn) {
  {
    const WorkRecordScope scope(record_);
    pass(10);
    pool_.run(2, [&](std::size_t) {
      pool_.run(3, [&](std::size_t) { pass(1); });  // not the op's
      run_op(1, 2, 4);
    });
  }
  ASSERT_EQ(record_.ops().size(), 1u);
  const WorkRecord::OpTime op = record_.ops().at({"layer", "op"});
  EXPECT_THAT(op.undivided, about(1));
  EXPECT_THAT(op.with_most, about(1 + 4));  // two threads for each of two tasks
  EXPECT_THAT(record_.single_outside_of_ops(), about(10));
}

TEST_F(WorkRecordTest, OpsOutsideOfTasksAreTheirsAlone) {
  {
    const WorkRecordScope scope(record_);
    run_op(2, 4, 1);
    run_op(5);
  }
  const WorkRecord::OpTime op = record_.ops().at({"layer", "op"});
  EXPECT_THAT(op.undivided, about(7));
  EXPECT_THAT(op.with_most, about(8));
  EXPECT_THAT(record_.single(), about(7));
  EXPECT_THAT(record_.single_outside_of_ops(), about(0));
}

TEST_F(WorkRecordTest, ATaskThatFailsIsMeasuredTheSame) {
  {
    const WorkRecordScope scope(record_);
    EXPECT_THROW(pool_.run(2,
                           [&](std::size_t) {
                             pass(1);
                             throw 1;
                           }),
                 int);
    pass(1);
  }
  EXPECT_THAT(record_.expected(), ElementsAre(about(3), about(2), about(2)));
}

TEST_F(WorkRecordTest, WatchingTakesNoTime) {
  const auto watch = [&](int time) {
    const WorkRecord::WatchScope watching;
    pass(time);
  };
  {
    const WorkRecordScope scope(record_);
    pass(1);
    watch(100);
    pool_.run(2, [&](std::size_t) {
      pass(2);
      watch(50);
    });
    profile_.add("layer", "op", seconds(1 + 2 * (2 + 50)), 0, 0);
    pass(3);
  }
  EXPECT_THAT(record_.seconds(), about(8));
  EXPECT_THAT(record_.single(), about(4));
  EXPECT_THAT(record_.expected(), ElementsAre(about(8), about(6), about(6)));
  EXPECT_THAT(record_.ops().at({"layer", "op"}).undivided, about(1));
}

TEST_F(WorkRecordTest, NothingIsRecordedOutsideOfTheScope) {
  run_op(1, 2, 1);
  { const WorkRecordScope scope(record_); }
  run_op(1, 2, 1);
  EXPECT_THAT(record_.seconds(), about(0));
  EXPECT_TRUE(record_.ops().empty());
}

}  // namespace
}  // namespace weft
