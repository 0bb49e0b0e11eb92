// The settings of a config that differ from the defaults.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "registry/functions/catalogue.h"
#include "registry/value/config.h"

namespace weft {

struct ConfigDifference {
  std::string path;
  Node value;
  std::optional<Node> default_value;  // nothing: there is no default
};

// Compares a filled config with the defaults of the functions and components that it names itself:
// the choice of a function is a difference, and so is each argument that is not the function's
// default. In the order of the config.
WEFT_API std::vector<ConfigDifference> differences_from_defaults(const Config& config,
                                                                 const Catalogue& catalogue);

// A setting that two configs have with other values, or that only one of them has.
struct ConfigChange {
  std::string path;
  std::optional<Node> before, after;
};

// From `before` to `after`, in the order of the latter; settings of the first alone come last.
WEFT_API std::vector<ConfigChange> changes_between(const Config& before, const Config& after);

}  // namespace weft
