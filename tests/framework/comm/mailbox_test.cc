// Messages between ranks that do not wait for each other. Skipped without Gloo.
#include "framework/comm/mailbox.h"

#include <chrono>
#include <csignal>
#include <cstdio>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "framework/comm/open_engine.h"
#include "tests/framework/comm/engine_body.h"

namespace weft::testing {
namespace {

using ::testing::Each;
constexpr std::chrono::seconds kLong{20};

std::shared_ptr<Communicator> shared(Communicator& comm) {
  return {std::shared_ptr<Communicator>(), &comm};
}

class MailboxTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (const std::string why = why_no_engine("gloo"); !why.empty()) GTEST_SKIP() << why;
  }
};

std::string text_of(int rank, std::size_t number) {
  return std::string(1 + number * number * 1000, static_cast<char>('a' + rank));
}

TEST_F(MailboxTest, MessagesOfAnyLengthArriveInTheOrderOfTheirRank) {
  const auto codes = run_forked(3, [](Communicator& comm) {
    constexpr std::size_t count = 20;
    Mailbox box(shared(comm), 1 << 20);
    for (std::size_t i = 0; i < count; ++i) {
      for (int to = 0; to < 3; ++to) {
        if (to != comm.rank()) box.send(to, text_of(comm.rank(), i));
      }
    }
    std::vector<std::size_t> next(3, 0);
    for (int from = 0; from < 3; ++from) {
      if (from != comm.rank()) box.listen(from);
    }
    for (std::size_t i = 0; i < 2 * count; ++i) {
      const auto message = box.take(kLong);
      if (!message) return 1;
      const auto from = static_cast<std::size_t>(message->from);
      if (message->bytes != text_of(message->from, next[from]++)) return 2;
      if (next[from] < count) box.listen(message->from);
    }
    comm.barrier().wait();
    return box.take() ? 3 : 0;
  });
  EXPECT_THAT(codes, Each(0));
}

TEST_F(MailboxTest, ItDoesNotWaitForAMessageThatNobodySends) {
  const auto codes = run_forked(2, [](Communicator& comm) {
    Mailbox box(shared(comm), 100);
    if (comm.rank() == 0) {
      box.listen(1);
      const auto start = std::chrono::steady_clock::now();
      if (box.take() || box.take(std::chrono::milliseconds(50))) return 1;
      if (std::chrono::steady_clock::now() - start > std::chrono::seconds(5)) return 2;
    }
    // Collectives go past a mailbox that listens.
    comm.barrier().wait();
    if (comm.rank() == 1) box.send(0, "late");
    const auto message = comm.rank() == 0 ? box.take(kLong) : RankMessage{1, "late"};
    const bool is_right = message && message->bytes == "late";
    comm.barrier().wait();
    return is_right ? 0 : 3;
  });
  EXPECT_THAT(codes, Each(0));
}

TEST_F(MailboxTest, NothingIsAllocatedForAMessageOfImpossibleLength) {
  const auto codes = run_forked(2, [](Communicator& comm) {
    Mailbox box(shared(comm), comm.rank() == 0 ? 100 : 1000);
    if (comm.rank() == 1) {
      box.send(0, std::string(101, 'x'));
      ::usleep(500'000);
      return 0;
    }
    box.listen(1);
    try {
      box.take(kLong);
    } catch (const PeerLost&) {
      return 0;
    }
    return 1;
  });
  EXPECT_THAT(codes, Each(0));
}

TEST_F(MailboxTest, AKilledRankEndsTheWait) {
  const auto codes = run_forked(2, [](Communicator& comm) {
    Mailbox box(shared(comm), 100);
    comm.barrier().wait();
    if (comm.rank() == 1) ::raise(SIGKILL);
    box.listen(1);
    try {
      box.take(kLong);
    } catch (const PeerLost&) {
      return 0;
    }
    return 1;
  });
  EXPECT_EQ(codes, (std::vector<int>{0, 128 + SIGKILL}));
}

}  // namespace
}  // namespace weft::testing
