#include "framework/pipeline/assembled_pipeline.h"

#include "framework/pipeline/check_construction.h"
#include "framework/pipeline/setting_error.h"

namespace weft {
namespace {

// Throws Error(config) for a component with parameters that came from no other pipeline.
void check_assembled(const Language& nlp) {
  for (const NamedComponent& component : nlp.pipeline()) {
    if (component.sourced || !component.component->is_trainable()) continue;
    throw setting_error(
        "components." + component.name,
        "the component has nothing to predict with: give it a `source`, or train it");
  }
}

}  // namespace

std::shared_ptr<Language> assembled_pipeline(const Config& config, const Catalogue& catalogue) {
  return telling_places(config, [&] {
    auto nlp = build_to_initialize(config, catalogue);
    check_assembled(*nlp);
    nlp->initialize();
    return nlp;
  });
}

}  // namespace weft
