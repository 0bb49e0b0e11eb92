#include "framework/training/seed_functions.h"

namespace weft {

void seed_functions(const Config& values, const Catalogue& catalogue) {
  const Node* seed = values.find("training.seed");
  if (seed != nullptr && seed->is_integer()) catalogue.seed(seed->as_integer());
}

}  // namespace weft
