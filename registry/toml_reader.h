// Reads and writes the `.toml` dialect; the same tree as the `.cfg` dialect, without loss.
// A null is the string "${null}". Source: docs/config.md, "TOML".
#pragma once

#include <string>
#include <string_view>

#include "registry/cfg_reader.h"

namespace weft {

// As read_cfg. TOML syntax errors are `parse` problems (toml++ reports one per file).
WEFT_API Config read_toml(std::string_view text, std::string_view name, Problems& problems,
                          const ReadOptions& options = {});

// Integers outside 64 bits and other values TOML cannot hold become `unserialisable` problems
// naming the key. With `ascii`, characters of keys and values beyond plain ASCII are escapes.
WEFT_API std::string write_toml(const Config& config, Problems& problems, bool ascii = false);

}  // namespace weft
