#include "framework/training/distributed_strategy.h"

#include <memory>
#include <string>

#include "framework/training/async_ranks.h"
#include "framework/training/local_ranks.h"
#include "framework/training/sync_ranks.h"

namespace weft {
namespace {

template <class Ranks, class Options>
DistributedStrategy strategy(const std::string& name, const CommSettings& comm,
                             const Options& options) {
  return {
      .name = name, .comm = comm, .start = [options](const std::shared_ptr<Communicator>& ranks) {
        return std::make_unique<Ranks>(ranks, options);
      }};
}

std::size_t shards_of(const CommSettings& comm) {
  return static_cast<std::size_t>(comm.min_shards);
}

}  // namespace

DistributedStrategy make_sync_strategy(const SyncSettings& settings) {
  const SyncOptions options{.min_shards = shards_of(settings.comm),
                            .is_exact = settings.reduce == Reduction::exact};
  return strategy<SyncRanks>("sync.v1", settings.comm, options);
}

DistributedStrategy make_async_strategy(const AsyncSettings& settings) {
  const AsyncOptions options{.min_shards = shards_of(settings.comm),
                             .max_staleness = settings.max_staleness,
                             .max_ahead = settings.max_ahead};
  return strategy<AsyncRanks>("async.v1", settings.comm, options);
}

DistributedStrategy make_local_strategy(const LocalSettings& settings) {
  const LocalOptions options{.min_shards = shards_of(settings.comm), .steps = settings.steps};
  return strategy<LocalRanks>("local.v1", settings.comm, options);
}

}  // namespace weft
