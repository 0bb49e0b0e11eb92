#include "framework/training/distributed_strategy.h"
#include "registry/functions/registration.h"

namespace weft {
namespace {

const Registration registered{
    "local.v1", make_local_strategy,
    "Training on several ranks, each alone for some steps, after which weights and moments become "
    "their means over the ranks"};

}  // namespace
}  // namespace weft
