// How several ranks train one pipeline: the block [training.distributed], by `@distributed`. A
// plugin may add another. Source: docs/distributed.md.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "framework/comm/communicator.h"
#include "framework/training/run_ranks.h"
#include "registry/functions/fields.h"
#include "registry/functions/type.h"

namespace weft {

// The settings of all strategies: the connection of the ranks, and how batches are cut for them.
struct CommSettings {
  std::string engine = "auto";
  double deadline = 120.0;
  double start_deadline = 1800.0;
  std::int64_t min_shards = 1;
};

template <class V>
void fields(V& v, CommSettings& c) {
  v("engine", c.engine,
    "moves the bytes: \"auto\" (as the launcher needs), \"self\", \"mpi\", \"gloo\", \"nccl\", or "
    "the library of another one",
    strict);
  v("deadline", c.deadline, "seconds that a rank waits for the others before the run ends", strict,
    range(0.1, 86400.0));
  v("start_deadline", c.start_deadline,
    "the same until the first step, while corpora are read and labels are found", strict,
    range(0.1, 604800.0));
  v("min_shards", c.min_shards,
    "shards that a batch is cut into at least, so that more ranks have something to do; part of "
    "the result, also on one rank",
    strict, range(1.0, 4096.0));
}

struct DistributedStrategy {
  std::string name;
  CommSettings comm;
  // For more than one rank.
  std::function<std::unique_ptr<RunRanks>(const std::shared_ptr<Communicator>&)> start;
};

template <>
struct ProductTraits<DistributedStrategy> {
  static constexpr std::string_view kind = "distributed", name = "distributed training";
};

enum class Reduction : std::uint8_t { exact, fast };
constexpr std::array<std::string_view, 2> enum_names(Reduction) {
  return {"exact", "fast"};
}

struct SyncSettings {
  CommSettings comm;
  Reduction reduce = Reduction::exact;
};

template <class V>
void fields(V& v, SyncSettings& c) {
  fields(v, c.comm);
  v("reduce", c.reduce,
    "\"exact\": gradients of shards are added as on one rank, which gives the same bytes for any "
    "number of ranks; \"fast\": each rank adds up all of its own first and never sends more than "
    "one");
}

// `sync.v1`, and what a config without the block gets.
WEFT_API DistributedStrategy make_sync_strategy(const SyncSettings& settings);

struct AsyncSettings {
  CommSettings comm;
  std::int64_t max_staleness = 0;
  std::int64_t max_ahead = 4;
};

template <class V>
void fields(V& v, AsyncSettings& c) {
  fields(v, c.comm);
  v("max_staleness", c.max_staleness,
    "updates that a parameter may have had since the weights that a gradient is of; older ones are "
    "dropped",
    strict, range(0.0, 1001.0));
  v("max_ahead", c.max_ahead, "steps that a rank may be ahead of another before it waits", strict,
    range(1.0, 1001.0));
}

// `async.v1`.
WEFT_API DistributedStrategy make_async_strategy(const AsyncSettings& settings);

struct LocalSettings {
  CommSettings comm;
  std::int64_t steps = 8;
};

template <class V>
void fields(V& v, LocalSettings& c) {
  fields(v, c.comm);
  v("steps", c.steps, "steps that each rank makes alone before weights and moments are averaged",
    strict, range(1.0, 100001.0));
}

// `local.v1`.
WEFT_API DistributedStrategy make_local_strategy(const LocalSettings& settings);

}  // namespace weft
