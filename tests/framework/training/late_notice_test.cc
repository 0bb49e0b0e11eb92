#include "framework/training/late_notice.h"

#include <sstream>

#include <gtest/gtest.h>

namespace weft {
namespace {

using std::chrono::hours;
using std::chrono::milliseconds;

// Ends the test's own wait.
class Told : public std::stringbuf {
 public:
  void wait() {
    std::unique_lock lock(mutex_);
    over_.wait(lock, [this] { return is_told_; });
  }

 private:
  int sync() override {
    const std::lock_guard lock(mutex_);
    is_told_ = true;
    over_.notify_all();
    return 0;
  }
  std::mutex mutex_;
  std::condition_variable over_;
  bool is_told_ = false;
};

TEST(LateNotice, IsToldOfALongWait) {
  Told told;
  std::ostream err(&told);
  {
    const LateNotice notice(&err, "rank 0 waits\n", milliseconds(0));
    told.wait();
  }
  EXPECT_EQ(told.str(), "rank 0 waits\n");
}

TEST(LateNotice, IsNotToldOfAShortOne) {
  std::ostringstream err;
  { const LateNotice notice(&err, "rank 0 waits\n", hours(1)); }
  EXPECT_EQ(err.str(), "");
  { const LateNotice nobody(nullptr, "rank 0 waits\n", milliseconds(0)); }
}

}  // namespace
}  // namespace weft
