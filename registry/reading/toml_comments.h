// Gives the comments of a TOML text to the nodes they stand at. Source: docs/config.md, "TOML".
#pragma once

#include <map>
#include <vector>

#include "registry/reading/toml_scan.h"
#include "registry/value/config.h"

namespace weft {

// The last line of what starts in a line.
using LastLines = std::map<int, int>;

// A comment goes to the key or header that starts in its line or whose value spans it, else to the
// next one below, else to the end of the config.
void attach_comments(Config& config, const LastLines& last_lines,
                     std::vector<TomlComment> comments);

}  // namespace weft
