#include "framework/pipeline/number_formats.h"

#include "framework/nn/model.h"

namespace weft {

std::shared_ptr<RunFormats> make_formats(const PrecisionPolicy& policy, const Language& nlp) {
  auto formats = std::make_shared<RunFormats>(policy);
  if (!formats->casts()) return nullptr;
  formats->use(nlp.device_weights());
  for (const NamedComponent& component : nlp.pipeline()) {
    for (const ModelPtr& root : component.component->models()) formats->add(*root);
  }
  return formats;
}

}  // namespace weft
