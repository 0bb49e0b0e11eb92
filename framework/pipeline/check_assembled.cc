#include "framework/pipeline/check_assembled.h"

#include <fmt/format.h>

#include "framework/pipeline/check_construction.h"
#include "registry/base/error.h"

namespace weft {

void check_assembled(const Language& nlp) {
  for (const NamedComponent& component : nlp.pipeline()) {
    if (component.sourced || !component.component->is_trainable()) continue;
    throw Error(ErrorKind::config,
                fmt::format("[components.{}] has nothing to predict with: give it a `source`, or "
                            "train it",
                            component.name));
  }
}

std::shared_ptr<Language> assembled_pipeline(const Config& config, const Catalogue& catalogue) {
  auto nlp = build_to_initialize(config, catalogue);
  check_assembled(*nlp);
  nlp->initialize();
  return nlp;
}

}  // namespace weft
