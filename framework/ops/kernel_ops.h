// Which declared op a kernel belongs to: "gather_sum" runs the op "hash_embed_gather".
#pragma once

#include <string_view>

#include "framework/ops/kernel.h"
#include "framework/precision/op_policy.h"
#include "registry/base/export.h"

namespace weft {

// The declaration of an op by what its kernel says of itself: one of own_ops() where it is ours,
// else what follows from its category. An op without one is undeclared: it runs in f32.
WEFT_API OpPolicy declaration_of(const OpTraits& op);

}  // namespace weft
