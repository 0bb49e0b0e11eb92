// Synchronous training: every rank computes some shards of the same batch and updates some blocks
// of each parameter. Each gradient goes to the ranks that update its blocks, which add up the
// shards as one rank does: with `exact` the bits are the same. Source: docs/distributed.md,
// "sync.v1".
#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "framework/comm/communicator.h"
#include "framework/training/comm_ranks.h"
#include "registry/base/export.h"

namespace weft {

struct SyncOptions {
  std::size_t min_shards = 1;
  bool is_exact = true;  // else each rank adds up its own shards first: less to send
};

class WEFT_API SyncRanks final : public CommRanks {
 public:
  SyncRanks(std::shared_ptr<Communicator> comm, const SyncOptions& options);

  void begin(ShardRunner& runner, Optimizer& optimizer) override;
  StepGradients agree(StepGradients mine, const RankScale& scale) override;
  void apply(ShardRunner& runner, Optimizer& optimizer, double most_norm) override;
  bool interrupted(bool mine, bool meets) override;
  bool fail(const Error& error) noexcept override;

  std::vector<ShardPiece*> exchange(const Language& nlp, std::span<ShardPiece> mine,
                                    DType gradient_type, std::exception_ptr failure) override;

 private:
  struct Traffic;
  template <class Write>
  void write_messages(Traffic& traffic, Write write) const;
  void write_pieces(const Language& nlp, std::span<const ShardPiece> mine, Traffic& traffic) const;
  void exchange_all(const std::shared_ptr<Traffic>& keep) const;
  void throw_failures(const Traffic& traffic, const std::exception_ptr& own);
  std::vector<ShardPiece*> pieces_from(const Language& nlp, const Traffic& traffic,
                                       std::span<ShardPiece> mine, DType gradient_type);
  void add_own(std::span<ShardPiece> mine) const;
  void drop_foreign(std::span<ShardPiece> mine) const;
  class Peers;
  void note_sizes();
  void follow_growth();
  std::vector<double> add_up(std::span<const BlockSums> mine) const;
  void clip(ShardRunner& runner, double most) const;
  void agree_on_error(const StepError* mine);

  SyncOptions options_;
  Optimizer* optimizer_ = nullptr;
  std::vector<NamedParameter> mine_;  // those of which this rank has a part
  std::vector<std::int64_t> sizes_;   // of all parameters when they were divided
  std::vector<ShardPiece> received_;  // of other ranks, kept for their memory
  std::shared_ptr<Traffic> traffic_;  // the same; null while it is in use
  bool is_agreed_ = false;            // the error on its way is that of all ranks
};

}  // namespace weft
