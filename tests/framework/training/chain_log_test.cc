#include "framework/training/chain_log.h"

#include <sstream>
#include <stdexcept>
#include <string>

#include <gtest/gtest.h>

namespace weft {
namespace {

class Recorder : public LogSession {
 public:
  explicit Recorder(std::string& calls, bool fails) : calls_(calls), fails_(fails) {}
  void stepped(std::int64_t step) override { told("s" + std::to_string(step)); }
  void evaluated(const TrainingInfo& info) override { told("e" + std::to_string(info.step)); }
  void ended(LogEnd) override { told("d"); }
  void finish() override { told("f"); }

 private:
  void told(const std::string& call) {
    calls_ += call;
    if (fails_) throw std::runtime_error("full");
  }

  std::string& calls_;
  bool fails_;
};

Logger recorder(std::string& calls, bool fails) {
  return {[&calls, fails](const LogSetup&) -> std::unique_ptr<LogSession> {
    return std::make_unique<Recorder>(calls, fails);
  }};
}

TrainingInfo row_of(std::int64_t step) {
  TrainingInfo info;
  info.step = step;
  return info;
}

struct Streams {
  std::ostringstream out;
  std::ostringstream err;
};

TEST(ChainLogsTest, OneThatThrowsTakesNothingFromTheOthers) {
  std::string calls;
  Streams streams;
  const LogSetup setup{.nlp = nullptr, .out = streams.out, .err = streams.err};
  const auto session = chain_logs({recorder(calls, true), recorder(calls, false)}).start(setup);
  EXPECT_THROW(session->stepped(3), std::runtime_error);
  EXPECT_THROW(session->evaluated(row_of(3)), std::runtime_error);
  EXPECT_THROW(session->ended(LogEnd::failed), std::runtime_error);
  EXPECT_THROW(session->finish(), std::runtime_error);
  EXPECT_EQ(calls, "s3s3e3e3ddff");
}

// Takes its time over a row: looks at how many the log behind it has by then.
class SlowSession : public LogSession {
 public:
  SlowSession(const std::string& rows, std::string& seen) : rows_(rows), seen_(seen) {}
  void evaluated(const TrainingInfo&) override { seen_ += rows_ + ";"; }
  Node position() override { return "slow"; }

 private:
  const std::string& rows_;
  std::string& seen_;
};

TEST(ChainLogsTest, ARowNeedNotWaitForASlowLoggerBeforeIt) {
  std::string rows, seen;
  Streams streams;
  const LogSetup setup{.nlp = nullptr, .out = streams.out, .err = streams.err};
  const Logger slow{[&](const LogSetup&) -> std::unique_ptr<LogSession> {
    return std::make_unique<SlowSession>(rows, seen);
  }};
  const auto session = chain_logs({slow, recorder(rows, false)}, RowOrder::last_first).start(setup);
  session->evaluated(row_of(0));
  session->evaluated(row_of(20));
  EXPECT_EQ(seen, "e0;e0e20;");
  // Checkpoints keep the places in the order of the chain.
  EXPECT_EQ(session->position().as_list().front().as_string(), "slow");
}

}  // namespace
}  // namespace weft
