#include "framework/training/unseen_labels.h"

#include <utility>

#include "framework/pipeline/language.h"

namespace weft {

UnseenLabels::UnseenLabels(const Language& nlp) {
  for (const NamedComponent& component : nlp.pipeline()) {
    const std::vector<std::string> labels = component.component->labels();
    known_.insert(labels.begin(), labels.end());
  }
}

void UnseenLabels::add(const Example& example) {
  if (known_.empty() || !example.reference().has_ents()) return;
  for (const Span& ent : example.reference().ents()) {
    std::string label(example.reference().string(ent.label));
    if (!known_.contains(label)) ++counts_[std::move(label)];
  }
}

}  // namespace weft
