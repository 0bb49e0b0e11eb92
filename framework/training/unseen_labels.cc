#include "framework/training/unseen_labels.h"

#include <set>

#include "framework/pipeline/language.h"

namespace weft {

std::map<std::string, std::int64_t> unseen_labels(const Language& nlp,
                                                  std::span<const Example> examples) {
  std::set<std::string> known;
  for (const NamedComponent& component : nlp.pipeline()) {
    const std::vector<std::string> labels = component.component->labels();
    known.insert(labels.begin(), labels.end());
  }
  std::map<std::string, std::int64_t> unseen;
  if (known.empty()) return unseen;
  for (const Example& example : examples) {
    if (!example.reference().has_ents()) continue;
    for (const Span& ent : example.reference().ents()) {
      std::string label(example.reference().string(ent.label));
      if (!known.contains(label)) ++unseen[std::move(label)];
    }
  }
  return unseen;
}

}  // namespace weft
