#include "framework/pipeline/check_assembled.h"

#include <utility>

#include <fmt/format.h>

#include "framework/pipeline/build_pipeline.h"
#include "framework/pipeline/check_config.h"
#include "framework/pipeline/init_vocab.h"
#include "framework/pipeline/load_config.h"
#include "registry/base/error.h"
#include "registry/building/resolve.h"

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
  const Config values = expanded(config);
  Problems problems;
  const auto settings =
      resolve_section<InitializeSettings>(values, "initialize", catalogue, problems);
  throw_errors(std::move(problems));
  auto nlp = build_pipeline(config, catalogue);
  init_vocab(*nlp, *settings);
  check_assembled(*nlp);
  return nlp;
}

}  // namespace weft
