#include "framework/training/distributed_strategy.h"
#include "registry/functions/registration.h"

namespace weft {
namespace {

const Registration registered{
    "sync.v1", make_sync_strategy,
    "Training on several ranks in step: shards of a batch are divided, gradients added, parameters "
    "updated by one rank each"};

}  // namespace
}  // namespace weft
