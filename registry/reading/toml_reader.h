// Reads the `.toml` dialect; the same tree as the `.cfg` dialect, without loss.
// A null is the string "${null}". Source: docs/config.md, "TOML".
#pragma once

#include <string>
#include <string_view>

#include "registry/reading/cfg_reader.h"

namespace weft {

// As read_cfg. TOML syntax errors are `parse` problems (toml++ reports one per file).
WEFT_API Config read_toml(std::string_view text, std::string_view name, Problems& problems,
                          const ReadOptions& options = {});

}  // namespace weft
