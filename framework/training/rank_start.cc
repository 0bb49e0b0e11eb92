#include "framework/training/rank_start.h"

#include <utility>

#include "framework/pipeline/check_config.h"
#include "framework/pipeline/load_config.h"
#include "registry/base/error.h"
#include "registry/base/sha256.h"
#include "registry/building/resolve.h"

namespace weft {

DistributedStrategy strategy_of(const Config& config, const Catalogue& catalogue) {
  const Config values = expanded(config);
  if (values.find("training.distributed") == nullptr) return make_sync_strategy({});
  Problems problems;
  const auto made = resolve_at(values, "training.distributed", catalogue, {}, problems);
  throw_errors(std::move(problems));
  const DistributedStrategy* strategy =
      made->is_product() ? made->product().get<DistributedStrategy>() : nullptr;
  return strategy == nullptr ? make_sync_strategy({}) : *strategy;
}

void check_for_ranks(const TrainOptions& options, bool is_alone) {
  if (is_alone) return;
  if (options.gpu >= 0) {
    throw Error(ErrorKind::usage, "several ranks train on the CPU: leave out --gpu-id");
  }
  if (options.dry_run) throw Error(ErrorKind::usage, "a dry run is for one rank");
}

RankIdentity identity_of(const Config& values, const Object& data, const TrainOptions& options) {
  RankIdentity identity{.config = Node(values.root()),
                        .data = data,
                        .version = version_of_build(),
                        .processor = processor_of_rank(),
                        .plugins = options.plugins,
                        .checkpoint = {}};
  if (!options.resume_from.empty()) {
    identity.checkpoint = sha256_of_file(options.resume_from / "state.json");
  }
  return identity;
}

}  // namespace weft
