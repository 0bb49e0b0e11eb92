// The engines on several ranks. Without an engine's library its tests are skipped.
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "framework/comm/open_engine.h"
#include "tests/folders.h"
#include "tests/framework/comm/engine_body.h"

namespace weft::testing {
namespace {

using ::testing::Each;
using ::testing::HasSubstr;

CommOptions checked() {
  return {.deadline = std::chrono::seconds(60), .check_order = true};
}

TEST(SelfEngine, DoesAllOperations) {
  Communicator comm(self_engine(), "self", checked());
  EXPECT_EQ(check_operations(comm), "");
}

class GlooTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (const std::string why = why_no_engine("gloo"); !why.empty()) GTEST_SKIP() << why;
  }
};

TEST_F(GlooTest, DoesWhatSelfDoesOnAnyNumberOfRanks) {
  for (const int ranks : {1, 2, 3, 4}) {
    const auto codes = run_forked(
        ranks,
        [](Communicator& comm) {
          const std::string wrong = check_operations(comm);
          if (!wrong.empty()) std::fprintf(stderr, "rank %d: %s\n", comm.rank(), wrong.c_str());
          return wrong.empty() ? 0 : 1;
        },
        checked());
    EXPECT_THAT(codes, Each(0)) << ranks << " ranks";
  }
}

TEST_F(GlooTest, OneRankNeedsNobodyToMeet) {
  const auto comm = open_communicator("gloo", Launch(), checked());
  EXPECT_EQ(comm->size(), 1);
  EXPECT_EQ(check_operations(*comm), "");
}

// Gives whether waiting ends with this kind of error, and its text holds these words.
template <class Failure>
bool ends_with(const std::function<void()>& action, const std::string& words) {
  try {
    action();
  } catch (const Failure& error) {
    if (std::string(error.what()).find(words) != std::string::npos) return true;
    std::fprintf(stderr, "another text: %s\n", error.what());
    return false;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "another error: %s\n", error.what());
  }
  return false;
}

TEST_F(GlooTest, TellsAKilledRank) {
  const auto codes = run_forked(3, [](Communicator& comm) {
    comm.barrier().wait();
    if (comm.rank() == 2) ::raise(SIGKILL);
    return ends_with<PeerLost>([&] { comm.barrier().wait(); }, "rank ") ? 0 : 1;
  });
  EXPECT_EQ(codes, (std::vector<int>{0, 0, 128 + SIGKILL}));
}

TEST_F(GlooTest, TheDeadlineEndsAWaitForARankThatHasStopped) {
  const auto codes = run_forked(
      2,
      [](Communicator& comm) {
        comm.barrier().wait();
        if (comm.rank() == 1) {
          ::usleep(1'500'000);
          return 0;
        }
        comm.set_deadline(std::chrono::milliseconds(300));
        return ends_with<TimedOut>([&] { comm.barrier().wait(); }, "no answer in 0.3 seconds") ? 0
                                                                                               : 1;
      },
      checked());
  EXPECT_THAT(codes, Each(0));
}

// The reason itself comes only where the connection is still there to be read.
TEST_F(GlooTest, AnAbortEndsTheWaitsOfTheOthers) {
  const auto codes = run_forked(3, [](Communicator& comm) {
    comm.barrier().wait();
    if (comm.rank() == 1) comm.abort("the disk is full");
    const auto wait = [&] { comm.barrier().wait(); };
    return ends_with<PeerLost>(wait, "") ? 0 : 1;
  });
  EXPECT_THAT(codes, Each(0));
}

TEST_F(GlooTest, CollectivesInAnotherOrderAreFound) {
  const auto codes = run_forked(
      2,
      [](Communicator& comm) {
        std::vector<float> some(3);
        const auto call = [&] {
          if (comm.rank() == 0) return comm.barrier().wait();
          comm.broadcast({some.data(), some.size(), DType::f32}, 0).wait();
        };
        return ends_with<Error>(call, "not at the same collective") ? 0 : 1;
      },
      checked());
  EXPECT_THAT(codes, Each(0));
}

// The variable asks for the same comparison where the caller does not.
TEST_F(GlooTest, TheEnvironmentAsksForTheComparisonOfOrders) {
  ::setenv("WEFT_COMM_CHECK", "1", 1);
  const auto codes =
      run_forked(2,
                 [](Communicator& comm) {
                   float number = 0;
                   const CommBuffer buffer{&number, 1, DType::f32};
                   const auto call = [&] {
                     if (comm.rank() == 0) return comm.broadcast(buffer, 0).wait();
                     comm.all_reduce(buffer, ReduceOp::sum).wait();
                   };
                   return ends_with<Error>(call, "not at the same collective") ? 0 : 1;
                 },
                 {.deadline = std::chrono::seconds(60), .check_order = false});
  ::unsetenv("WEFT_COMM_CHECK");
  EXPECT_THAT(codes, Each(0));
}

// The engine of NCCL over a fake one; there is no GPU for each rank where tests run.
class NcclTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (const std::string why = why_no_engine(kFake); !why.empty()) GTEST_SKIP() << why;
  }
  static std::vector<int> run(int ranks, const std::function<int(Communicator&)>& body,
                              const CommOptions& options = checked()) {
    return run_forked(ranks, body, options, kFake);
  }

  inline static const std::string kFake = build_path("tests/libweft_comm_nccl_fake.so");
};

TEST_F(NcclTest, DoesWhatSelfDoesOnAnyNumberOfRanks) {
  for (const int ranks : {2, 3, 4}) {
    const auto codes = run(ranks, [](Communicator& comm) {
      const std::string wrong = check_operations(comm, false);
      if (!wrong.empty()) std::fprintf(stderr, "rank %d: %s\n", comm.rank(), wrong.c_str());
      return wrong.empty() ? 0 : 1;
    });
    EXPECT_THAT(codes, Each(0)) << ranks << " ranks";
  }
}

TEST_F(NcclTest, MessagesBetweenTwoRanksAreRefused) {
  const auto codes = run(2, [](Communicator& comm) {
    float number = 1.0F;
    const auto call = [&] { comm.send({&number, 1, DType::f32}, 1 - comm.rank(), 3).wait(); };
    return ends_with<Error>(call, "async.v1") ? 0 : 1;
  });
  EXPECT_THAT(codes, Each(0));
}

// An error that shows after the call has returned.
TEST_F(NcclTest, TellsAKilledRank) {
  const auto codes = run(3, [](Communicator& comm) {
    comm.barrier().wait();
    if (comm.rank() == 2) ::raise(SIGKILL);
    const auto wait = [&] { comm.barrier().wait(); };
    return ends_with<PeerLost>(wait, "a remote process exited") ? 0 : 1;
  });
  EXPECT_EQ(codes, (std::vector<int>{0, 0, 128 + SIGKILL}));
}

// Nothing of NCCL's tells of it.
TEST_F(NcclTest, AnAbortEndsTheWaitsOfTheOthers) {
  const auto codes = run(3, [](Communicator& comm) {
    comm.barrier().wait();
    if (comm.rank() == 1) comm.abort("the disk is full");
    return ends_with<PeerLost>([&] { comm.barrier().wait(); }, "the disk is full") ? 0 : 1;
  });
  EXPECT_THAT(codes, Each(0));
}

TEST_F(NcclTest, TheDeadlineEndsAWaitForARankThatHasStopped) {
  const auto codes = run(2, [](Communicator& comm) {
    comm.barrier().wait();
    if (comm.rank() == 1) {
      ::usleep(1'500'000);
      return 0;
    }
    comm.set_deadline(std::chrono::milliseconds(300));
    return ends_with<TimedOut>([&] { comm.barrier().wait(); }, "no answer in 0.3 seconds") ? 0 : 1;
  });
  EXPECT_THAT(codes, Each(0));
}

// The thread that waits for the outcome is not held up by the copy to the host, and gives up the
// collective that others may still come to.
TEST_F(NcclTest, ACollectiveThatIsGivenUpEndsOnTheGpuToo) {
  const auto codes = run(2, [](Communicator& comm) {
    comm.barrier().wait();
    const auto wait = [&] { comm.barrier().wait(); };
    if (comm.rank() == 1) {
      ::usleep(1'000'000);
      return ends_with<PeerLost>(wait, "") ? 0 : 1;
    }
    comm.set_deadline(std::chrono::milliseconds(300));
    const bool has_ended = ends_with<TimedOut>(wait, "no answer in 0.3 seconds");
    comm.abort("the deadline");
    ::usleep(2'000'000);
    return has_ended ? 0 : 2;
  });
  EXPECT_THAT(codes, Each(0));
}

TEST_F(NcclTest, ARankWithoutAGpuIsRefused) {
  ::setenv("WEFT_FAKE_GPUS", "2", 1);
  ::setenv("LOCAL_RANK", "2", 1);
  const auto codes = run(2, [](Communicator&) { return 0; });
  ::unsetenv("WEFT_FAKE_GPUS");
  ::unsetenv("LOCAL_RANK");
  EXPECT_THAT(codes, Each(99));
}

// As launchers bind ranks to GPUs: each sees one, whatever its number.
TEST_F(NcclTest, ARankThatSeesOneGpuTakesIt) {
  ::setenv("WEFT_FAKE_GPUS", "1", 1);
  ::setenv("LOCAL_RANK", "2", 1);
  ::setenv("CUDA_VISIBLE_DEVICES", "2", 1);
  const auto codes = run(2, [](Communicator&) { return 0; });
  ::unsetenv("WEFT_FAKE_GPUS");
  ::unsetenv("LOCAL_RANK");
  ::unsetenv("CUDA_VISIBLE_DEVICES");
  EXPECT_THAT(codes, Each(0));
}

// Run by mpirun, which the next test starts.
TEST(MpiRank, DISABLED_DoesAllOperations) {
  const auto comm = open_communicator("mpi", launch_from_environment(), checked());
  ASSERT_EQ(comm->size(), std::atoi(std::getenv("WEFT_EXPECTED_RANKS")));
  EXPECT_EQ(check_operations(*comm), "");
}

TEST(MpiEngine, DoesWhatSelfDoesOnAnyNumberOfRanks) {
  if (const std::string why = why_no_engine("mpi"); !why.empty()) GTEST_SKIP() << why;
  if (std::system("command -v mpirun >/dev/null") != 0) GTEST_SKIP() << "there is no mpirun";
  for (const char* ranks : {"1", "2", "3", "4"}) {
    const std::string command = std::string("WEFT_EXPECTED_RANKS=") + ranks +
                                " timeout 120 mpirun --oversubscribe --allow-run-as-root -n " +
                                ranks + " /proc/" + std::to_string(::getpid()) +
                                "/exe --gtest_also_run_disabled_tests --gtest_filter=MpiRank.* >" +
                                ::testing::TempDir() + "mpi_ranks.txt 2>&1";
    EXPECT_EQ(std::system(command.c_str()), 0) << command;
  }
}

TEST(OpenEngine, NamesALibraryThatIsNotThere) {
  try {
    open_communicator("pigeons", {.rank = 0, .size = 2}, {});
    FAIL() << "it was opened";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::usage);
    EXPECT_THAT(error.what(), HasSubstr("there is no engine 'pigeons'"));
    EXPECT_THAT(error.what(), HasSubstr("libweft_comm_pigeons.so"));
  }
}

TEST(OpenEngine, SelfIsForOneRank) {
  EXPECT_THROW(open_communicator("self", {.rank = 0, .size = 2}, {}), Error);
  EXPECT_EQ(open_communicator("auto", {}, {})->name(), "self");
}

}  // namespace
}  // namespace weft::testing
