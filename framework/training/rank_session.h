// The part that this process has in a run on several ranks: the connection, the meeting before the
// first step, and the way in which a failure ends the run.
#pragma once

#include <iosfwd>
#include <memory>

#include "framework/comm/communicator.h"
#include "framework/comm/launch.h"
#include "framework/training/distributed_strategy.h"
#include "framework/training/rank_identity.h"
#include "framework/training/run_ranks.h"
#include "registry/base/export.h"

namespace weft {

class WEFT_API RankSession {
 public:
  // Connects the ranks; rank 0 says on `err` by which engine. Each rank says on `waits`, unless
  // that is null, that it waits where the others take long. Throws as open_communicator does.
  RankSession(const Launch& launch, const DistributedStrategy& strategy, std::ostream& err,
              std::ostream* waits);

  RunRanks& ranks() { return *ranks_; }
  bool is_root() const { return comm_ == nullptr || comm_->is_root(); }
  bool is_alone() const { return comm_ == nullptr; }

  // Once all is prepared; see weft::meet.
  void meet(const RankIdentity& mine, bool allow_mixed_hardware);
  // Before the first step: from here on the shorter deadline counts.
  void begin_steps();
  // Tells the other ranks of the error that ends this one. Returns where this rank is to tell of it
  // too; else throws AgreedFailure.
  void fail(const Error& error);
  // The traffic of rank 0, on `err`.
  void describe_traffic(std::ostream& err) const;

 private:
  std::shared_ptr<Communicator> comm_;  // null: one rank alone
  std::unique_ptr<RunRanks> ranks_;
  std::chrono::milliseconds deadline_;
  bool has_met_ = false;
};

}  // namespace weft
