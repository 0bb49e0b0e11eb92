#include "registry/variables/interpolate.h"

#include "registry/variables/variable_expander.h"

namespace weft {

void expand_variables(Config& config, References references, Problems& problems) {
  VariableExpander(config, references, problems).run();
}

Config interpolate(const Config& config, Problems& problems) {
  Config copy = config;
  expand_variables(copy, References::objects, problems);
  return copy;
}

}  // namespace weft
