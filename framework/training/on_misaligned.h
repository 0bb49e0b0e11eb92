// The setting `on_misaligned` of corpus readers.
#pragma once

#include <array>
#include <string_view>

#include "framework/text/char_ents.h"

namespace weft {

constexpr std::array<std::string_view, 4> enum_names(AlignmentPolicy) {
  return {"error", "drop", "expand", "contract"};
}

inline constexpr std::string_view kOnMisalignedDoc =
    "entities that do not fall on tokens: stop there, leave them out, or take all tokens they "
    "touch or those inside";

}  // namespace weft
