// How the shards of a batch are divided among the ranks of a run, and how all of them come together
// again: the runner computes those of its own rank, the exchange gives back what any rank computed.
#pragma once

#include <any>
#include <cstddef>
#include <exception>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "framework/nn/gradients.h"
#include "framework/pipeline/batch.h"
#include "registry/base/export.h"

namespace weft {

class Language;

// The outcome of a shard, or of a part of one that did not fit into memory.
struct ShardPiece {
  Shard range;
  Losses losses;
  std::vector<std::any> kept;  // by the components of the pipeline
  Gradients gradients;
};

class WEFT_API ShardExchange {
 public:
  virtual ~ShardExchange() = default;

  // Of so many shards, those of this rank.
  virtual Shard own(std::size_t shards) const = 0;

  // Called by every rank for each part of a step, once its shards are done. Gives the pieces of all
  // ranks in the order of the batch, with the gradients of those parameters alone that this rank
  // updates; they live until the next call. `failure`: the error that ended this rank's shards, or
  // null; if any rank has one, it is thrown on all of them.
  virtual std::vector<ShardPiece*> exchange(const Language& nlp, std::span<ShardPiece> mine,
                                            DType gradient_type, std::exception_ptr failure) = 0;
};

}  // namespace weft
