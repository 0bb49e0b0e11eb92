// Asynchronous training: every parameter has an owner. A rank sends the gradient of its shards to
// the owners, with the versions of the weights that they are of, takes the weights that have come
// from the owners, and goes on. An owner drops gradients that are of too old weights, and steps
// once it has those of as many shares of a batch as there are ranks. Source: docs/distributed.md,
// "async.v1"; the user guide of spaCy, "Parallel training".
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "framework/comm/mailbox.h"
#include "framework/comm/message.h"
#include "framework/nn/gradients.h"
#include "framework/training/apart_ranks.h"
#include "registry/base/export.h"

namespace weft {

struct AsyncOptions {
  std::size_t min_shards = 1;
  std::int64_t max_staleness = 0;  // updates since a gradient's weights
  std::int64_t max_ahead = 4;      // steps before the slowest rank
};

class WEFT_API AsyncRanks final : public ApartRanks {
 public:
  AsyncRanks(const std::shared_ptr<Communicator>& comm, const AsyncOptions& options);

  void begin(ShardRunner& runner, Optimizer& optimizer) override;
  void apply(ShardRunner& runner, Optimizer& optimizer, double most_norm) override;
  void stepped(std::int64_t step) override;
  std::optional<GradientCounts> gradient_counts() override;

 private:
  struct Peer {
    std::int64_t steps = 0;  // since the last meeting, that were told
    bool is_there = false;   // waits where all meet
    std::chrono::steady_clock::time_point heard;
  };
  bool meet(bool interrupted) override;
  bool must_meet(bool interrupted) const override { return interrupted || others_end_; }

  // Throws Error(data) once an array has another size than at the beginning.
  void refuse_growth() const;

  // ---- what is sent
  std::vector<MessageWriter> step_messages(const Gradients& gradients) const;
  void send(std::vector<MessageWriter> messages);
  void write_weights(MessageWriter& message) const;
  // ---- what comes
  void listen();
  void receive_arrived();
  void wait_for(const char* what, const std::function<bool(const Peer&)>& is_awaited);
  void take(const RankMessage& message);
  void take_gradients(MessageReader& message);
  void take_weights(MessageReader& message, int from);
  // ---- the owner
  void take_own(Gradients& gradients);
  // Of parameters that have so many gradients.
  void update(std::int64_t least);

  AsyncOptions options_;
  std::unique_ptr<Mailbox> mailbox_;
  ShardRunner* runner_ = nullptr;
  Optimizer* optimizer_ = nullptr;
  std::vector<Peer> peers_;              // by rank; this one's is not used
  std::vector<std::size_t> sizes_;       // of the parameters, at the beginning
  std::vector<std::uint64_t> versions_;  // of the weights here, since the last meeting
  std::vector<std::int64_t> waiting_;    // gradients of each owned parameter in `sums_`
  Gradients sums_, incoming_;
  std::vector<std::size_t> changed_;  // owned, since their weights were sent
  std::int64_t steps_ = 0;            // of this rank since the last meeting
  bool has_sent_ = false;             // for the present step
  bool others_end_ = false;           // a rank waits for the others because its run is to end
  GradientCounts counts_;
};

}  // namespace weft
