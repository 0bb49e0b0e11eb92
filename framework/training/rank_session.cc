#include "framework/training/rank_session.h"

#include <ostream>

#include <fmt/format.h>

#include "framework/comm/open_engine.h"
#include "framework/training/late_notice.h"

namespace weft {
namespace {

std::chrono::milliseconds milliseconds_of(double seconds) {
  return std::chrono::milliseconds(static_cast<std::int64_t>(seconds * 1000.0));
}

constexpr std::chrono::milliseconds kPatience{5000};

// A rank that was given a wrong address looks like one that works.
std::string describe_wait(const Launch& launch, double seconds) {
  const std::string place =
      launch.address.empty() ? "" : fmt::format(" at {}:{}", launch.address, launch.port);
  return fmt::format("rank {} of {} waits for {}{}, at most {:.6g} seconds (start_deadline)\n",
                     launch.rank, launch.size, launch.is_root() ? "the others" : "rank 0", place,
                     seconds);
}

}  // namespace

RankSession::RankSession(const Launch& launch, const DistributedStrategy& strategy,
                         std::ostream& err, std::ostream* waits)
    : deadline_(milliseconds_of(strategy.comm.deadline)) {
  // A run of one process asks for no engine, unless the config names one.
  const std::string& engine = strategy.comm.engine;
  const bool is_alone = launch.size == 1 && (engine == "auto" || engine == "self");
  if (!is_alone) {
    const LateNotice notice(waits, describe_wait(launch, strategy.comm.start_deadline), kPatience);
    // Engines wait as long as the start may take; later waits are shorter.
    comm_ = open_communicator(engine, launch,
                              {.deadline = milliseconds_of(strategy.comm.start_deadline)});
  }
  if (comm_ == nullptr || comm_->size() == 1) {
    comm_ = nullptr;
    ranks_ = std::make_unique<RunRanks>(static_cast<std::size_t>(strategy.comm.min_shards));
    return;
  }
  ranks_ = strategy.start(comm_);
  if (!comm_->is_root()) return;
  err << fmt::format("training on {} ranks by {} over {}; rank 0 is on {}\n", comm_->size(),
                     strategy.name, comm_->name(), host_name());
}

void RankSession::meet(const RankIdentity& mine, bool allow_mixed_hardware) {
  if (comm_ == nullptr) return;
  has_met_ = true;  // an error of the meeting is that of all ranks
  weft::meet(*comm_, mine, allow_mixed_hardware);
}

void RankSession::begin_steps() {
  if (comm_ != nullptr) comm_->set_deadline(deadline_);
}

// Before the meeting the others wait there and are told the error. Later, where a rank is lost or
// the error is this rank's own, their waits are ended. An error that all have met is told by rank
// 0.
void RankSession::fail(const Error& error) {
  if (comm_ == nullptr) return;
  if (dynamic_cast<const PeerLost*>(&error) == nullptr && !has_met_) {
    has_met_ = true;
    meet_after_failure(*comm_, error);
  }
  const bool is_known = ranks_->fail(error);
  if (is_known && !comm_->is_root()) throw AgreedFailure(error);
}

void RankSession::describe_traffic(std::ostream& err) const {
  if (comm_ == nullptr) return;
  constexpr double megabyte = 1e6;
  err << fmt::format("rank 0 sent {:.1f} MB to the others and waited {:.2f} s for them\n",
                     static_cast<double>(comm_->bytes_sent()) / megabyte, comm_->seconds_waited());
}

}  // namespace weft
