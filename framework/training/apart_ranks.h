// Ranks that go on by themselves between meetings: each trains on its own shards of every batch and
// counts their losses alone. Source: docs/distributed.md, "async.v1", "local.v1".
#pragma once

#include <cstdint>
#include <exception>
#include <memory>
#include <span>
#include <vector>

#include "framework/training/comm_ranks.h"
#include "registry/base/export.h"

namespace weft {

class WEFT_API ApartRanks : public CommRanks {
 public:
  // A batch is cut into `min_shards` at least, and so many that every rank has one.
  ApartRanks(const std::shared_ptr<Communicator>& comm, std::size_t min_shards);

  bool in_step() const override { return false; }
  void stepped(std::int64_t step) override;
  bool interrupted(bool mine, bool meets) override;
  void gather_losses(Losses& losses) override;

  // The shards of this rank alone: nothing is exchanged.
  std::vector<ShardPiece*> exchange(const Language& nlp, std::span<ShardPiece> mine,
                                    DType gradient_type, std::exception_ptr failure) override;

 protected:
  // Brings all ranks to the same weights. `interrupted`: this one's run is to end; gives whether
  // any is.
  virtual bool meet(bool interrupted) = 0;
  // Whether the others have to be met although nothing is due.
  virtual bool must_meet(bool interrupted) const = 0;
  void have_met() { are_apart_ = false; }

 private:
  bool are_apart_ = false;
};

}  // namespace weft
