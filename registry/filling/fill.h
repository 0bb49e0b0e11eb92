// Fills in defaults and checks a config against signatures and schemas.
// Source: docs/config.md, "Checks against signatures", "Filling".
#pragma once

#include "registry/base/problem.h"
#include "registry/functions/catalogue.h"
#include "registry/functions/schema.h"
#include "registry/value/config.h"

namespace weft {

struct FillOptions {
  bool validate = true;  // false: extra keys stay, missing ones stay missing, nothing is said
  bool report_unknown = false;  // unknown kinds and functions are errors; else they are left alone
  bool report_not_built = false;  // functions that are known but cannot be built are errors
  bool keep_variables =
      false;                  // expand, fill, then lay the original with its ${...} over the result
  bool all_defaults = false;  // also those of parameters that are not filled
};

// The config with every missing parameter that has a default, and all problems found: outer blocks
// before inner ones, in the tree's order. Without `keep_variables` no ${...} may be left in
// `config`.
WEFT_API Config fill(const Config& config, const Catalogue& catalogue, const Schemas& schemas,
                     Problems& problems, const FillOptions& options = {});

}  // namespace weft
