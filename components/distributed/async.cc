#include "framework/training/distributed_strategy.h"
#include "registry/functions/registration.h"

namespace weft {
namespace {

const Registration registered{
    "async.v1", make_async_strategy,
    "Ranks that do not wait for each other: the owner of a parameter takes the gradients of all "
    "ranks, but not old ones"};

}  // namespace
}  // namespace weft
