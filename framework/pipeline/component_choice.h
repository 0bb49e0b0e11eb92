// Which components of a saved pipeline are taken, in spaCy's words.
#pragma once

#include <string>
#include <vector>

#include "registry/base/export.h"
#include "registry/base/problem.h"
#include "registry/value/config.h"

namespace weft {

struct ComponentChoice {
  std::vector<std::string> exclude = {};  // not built, not read
  std::vector<std::string> disable = {};  // read, not run
  std::vector<std::string> enable = {};   // if any: all others are disabled
  bool read_disabled = true;              // false: those that are not run are excluded too
};

// Puts the choice into [nlp] pipeline and disabled of a pipeline's config, variables kept. Throws
// Error(usage) for a name that is not in the pipeline, with those that are there, and for one that
// is both enabled and disabled or excluded.
WEFT_API void choose_components(Config& config, const ComponentChoice& choice);

// Without those of components that stand in `config` and not in its pipeline: nobody builds them.
WEFT_API Problems of_components_in_use(Problems problems, const Config& config);

}  // namespace weft
