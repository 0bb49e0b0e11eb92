// Work of rank 0: the signs that it gives meanwhile, and the others' wait for the last of them.
#include "framework/training/root_work.h"

#include <chrono>
#include <mutex>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "framework/comm/comm_error.h"
#include "tests/framework/comm/idle_engine.h"

namespace weft {
namespace {

using std::chrono::milliseconds;

// Of two ranks. Keeps the signs that rank 0 gives, and gives rank 1 those of a list.
struct Signs {
  std::mutex mutex;
  std::vector<int> given;
  std::vector<int> to_give;
  std::size_t breaks_at = 1000;  // the number of the one broadcast that fails
};

class Line final : public IdleEngine {
 public:
  Line(int rank, Signs& signs) : IdleEngine(rank), signs_(signs) {}
  void broadcast(void* data, std::size_t, int) override {
    const std::lock_guard lock(signs_.mutex);
    if (signs_.given.size() == signs_.breaks_at) {
      signs_.breaks_at = 1000;
      throw PeerLost("the line was dead for a moment");
    }
    auto* sign = static_cast<std::uint8_t*>(data);
    if (rank() != 0) *sign = static_cast<std::uint8_t>(signs_.to_give.at(signs_.given.size()));
    signs_.given.push_back(*sign);
  }

 private:
  Signs& signs_;
};

// A quarter of the deadline lies between two signs: 10 ms.
Communicator line(int rank, Signs& signs) {
  return {std::make_unique<Line>(rank, signs), "line", {.deadline = milliseconds(40)}};
}

TEST(RootWork, LongWorkGivesSignsAndThenTheLastOne) {
  Signs signs;
  Communicator comm = line(0, signs);
  // Until signs were given, however slow the machine is.
  do_on_root(comm, [&] {
    for (int i = 0; i < 1000; ++i) {
      std::this_thread::sleep_for(milliseconds(5));
      const std::lock_guard lock(signs.mutex);
      if (signs.given.size() >= 3) return;
    }
  });
  ASSERT_GE(signs.given.size(), 4U);
  EXPECT_EQ(std::vector<int>(signs.given.begin(), signs.given.end() - 1),
            std::vector<int>(signs.given.size() - 1, signs.given.front()));
  EXPECT_NE(signs.given.back(), signs.given.front());
}

TEST(RootWork, TheOthersWaitForTheLastSign) {
  Signs of_root;
  Communicator root = line(0, of_root);
  do_on_root(root, [] {});
  const int last = of_root.given.back();
  Signs signs;
  signs.to_give = {1 - last, 1 - last, last, 1 - last};
  Communicator comm = line(1, signs);
  bool has_worked = false;
  do_on_root(comm, [&] { has_worked = true; });
  EXPECT_EQ(signs.given.size(), 3U);
  EXPECT_FALSE(has_worked);
}

// The error ends the run of all: a last sign would let the others go on.
TEST(RootWork, AnErrorOfTheWorkGivesNoLastSign) {
  Signs signs;
  Communicator comm = line(0, signs);
  EXPECT_THROW(do_on_root(comm, [] { throw Error(ErrorKind::system, "no room"); }), Error);
  Signs other;
  Communicator whole = line(0, other);
  do_on_root(whole, [] {});
  for (const int sign : signs.given) EXPECT_NE(sign, other.given.back());
}

TEST(RootWork, ASignThatCannotBeGivenIsAnError) {
  Signs signs;
  signs.breaks_at = 1;
  Communicator comm = line(0, signs);
  // Until one sign was given, however slow the machine is: the next one or the last cannot be.
  const auto work = [&] {
    for (int i = 0; i < 1000; ++i) {
      std::this_thread::sleep_for(milliseconds(5));
      const std::lock_guard lock(signs.mutex);
      if (!signs.given.empty()) return;
    }
  };
  EXPECT_THROW(do_on_root(comm, work), PeerLost);
}

}  // namespace
}  // namespace weft
