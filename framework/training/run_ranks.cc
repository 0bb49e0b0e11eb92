#include "framework/training/run_ranks.h"

#include "framework/pipeline/shard_runner.h"

namespace weft {

RunRanks::~RunRanks() = default;

void RunRanks::begin(ShardRunner& runner, Optimizer&) {
  runner.divide(nullptr, min_shards_);
}

void RunRanks::apply(ShardRunner& runner, Optimizer& optimizer, double most_norm) {
  clip_together(runner.context(), runner.parameters(), runner.gradients(), most_norm);
  optimizer.step(runner.context(), runner.parameters(), runner.gradients(), runner.tasks());
}

RunRanks& one_rank() {
  static RunRanks& one = *new RunRanks;
  return one;
}

}  // namespace weft
