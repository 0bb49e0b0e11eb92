// Sums and tables of what an OpProfile saw.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "framework/ops/op_profile.h"
#include "registry/base/export.h"

namespace weft {

// Each op's share over all layers, the longest first; `layer` is empty.
WEFT_API std::vector<OpShare> by_op(const std::vector<OpShare>& shares);
// Each layer's share over all ops, the longest first; `op` is empty. Ops outside of layers have the
// layer "".
WEFT_API std::vector<OpShare> by_layer(const std::vector<OpShare>& shares);

WEFT_API double seconds_of(const std::vector<OpShare>& shares);

// A table of names, calls, milliseconds and shares of `seconds`, with a line of titles; `first` is
// the title of the names. `shares` are by_op or by_layer.
WEFT_API std::string time_table(std::string_view first, const std::vector<OpShare>& shares,
                                double seconds);

}  // namespace weft
