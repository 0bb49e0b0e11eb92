// "Did you mean ...?" for settings: dotted names of sections and keys.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "registry/base/export.h"

namespace weft {

// Up to two of `names` (dotted, everything there is) that `name` may have meant: the nearest keys
// of its section, or the key in the nearest section; else a setting of the same top section whose
// path is made of the same words (training.batch_size: training.batcher.size), and the same key
// elsewhere (nlp.batch_size). Nothing for more than 20,000 names: the search would take time.
WEFT_API std::vector<std::string> nearest_settings(std::string_view name,
                                                   const std::vector<std::string>& names);

}  // namespace weft
