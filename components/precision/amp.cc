#include "framework/precision/policy.h"
#include "registry/functions/registration.h"

namespace weft {
namespace {

const Registration registered{
    "amp.v1", make_precision_policy,
    "Number formats in training and prediction: levels O0 to O3 and dynamic loss scaling"};

}  // namespace
}  // namespace weft
