#include "framework/pipeline/pattern_warnings.h"

#include <string>
#include <utility>

#include "framework/pipeline/has_patterns.h"

namespace weft {

Problems pattern_warnings(const Language& nlp) {
  Problems warnings;
  for (const NamedComponent& named : nlp.pipeline()) {
    const auto* const component = dynamic_cast<const HasPatterns*>(named.component.get());
    if (component == nullptr) continue;
    for (std::string& message : component->pattern_warnings()) {
      Problem problem;
      problem.severity = Severity::warning;
      problem.message = std::move(message);
      warnings.push_back(std::move(problem));
    }
  }
  return warnings;
}

}  // namespace weft
