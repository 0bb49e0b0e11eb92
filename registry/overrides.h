// Values that replace those of the file: from the command line and the environment.
// Source: docs/config.md, "Overrides".
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "registry/config.h"
#include "registry/problem.h"

namespace weft {

// In the order of application. The node's origin says where the value came from.
using Overrides = std::vector<std::pair<std::string, Node>>;

// `--section.key value`, `--section.key=value`, or `--section.key` alone for true.
WEFT_API Overrides parse_overrides(const std::vector<std::string>& words, Origin::Source source,
                                   std::string_view variable, Problems& problems);

// Command line and environment together. `environment` is the value of `variable`, split like a
// POSIX shell; its values win, at the command line's place in the order, and where the two disagree
// a `disagreement` warning names both.
WEFT_API Overrides collect_overrides(const std::vector<std::string>& argv,
                                     std::string_view variable, std::string_view environment,
                                     Problems& problems);

// Puts the overrides into the tree. Lenient: the section must be declared, the key may be new.
WEFT_API void apply_overrides(Config& config, const Overrides& overrides, Problems& problems);

}  // namespace weft
