// The start of a rank: which strategy the ranks follow, whether they can carry out this run, and
// what each tells the others of itself when they meet.
#pragma once

#include "framework/training/distributed_strategy.h"
#include "framework/training/rank_identity.h"
#include "framework/training/train_options.h"
#include "registry/functions/catalogue.h"
#include "registry/value/config.h"

namespace weft {

// [training.distributed] of a filled config; the default of that block where there is none. It is
// resolved before all other sections, because the ranks are connected before anything is read.
// Throws Error(config) with all problems.
DistributedStrategy strategy_of(const Config& config, const Catalogue& catalogue);

// Throws Error(usage) for options that are for one rank, where there are several.
void check_for_ranks(const TrainOptions& options, bool is_alone);

// `values` are the expanded config as all ranks have it, `data` is that of data_facts. Throws
// Error(system) for a checkpoint that cannot be read.
RankIdentity identity_of(const Config& values, const Object& data, const TrainOptions& options);

}  // namespace weft
