#include "registry/filling/fill.h"

#include "registry/filling/filler.h"
#include "registry/value/merge.h"
#include "registry/variables/interpolate.h"

namespace weft {

Config fill(const Config& config, const Catalogue& catalogue, const Schemas& schemas,
            Problems& problems, const FillOptions& options) {
  if (options.keep_variables) {
    Problems found;
    const Config expanded = interpolate(config, found);
    problems.insert(problems.end(), found.begin(), found.end());
    if (has_errors(found)) return config;
    FillOptions without = options;
    without.keep_variables = false;
    const Config filled = fill(expanded, catalogue, schemas, problems, without);
    return merge(filled, config, true);
  }
  Config filled = config;
  Filler filler(catalogue, schemas, problems, options);
  for (auto& [key, node] : filled.root()) filler.fill_node(node, key);
  return filled;
}

}  // namespace weft
