#include "framework/training/unseen_labels.h"

#include <utility>

#include "framework/pipeline/language.h"

namespace weft {

UnseenLabels::UnseenLabels(const Language& nlp) {
  for (const NamedComponent& component : nlp.pipeline()) {
    const AnnotationKind* kind = component.component->annotation();
    if (kind == nullptr) continue;
    const std::vector<std::string> labels = component.component->labels();
    known_[kind].insert(labels.begin(), labels.end());
  }
  std::erase_if(known_, [](const auto& of_kind) { return of_kind.second.empty(); });
}

void UnseenLabels::add(const Example& example) {
  for (const auto& [kind, known] : known_) {
    for (std::string& label : kind->labels_in(example.reference())) {
      if (!known.contains(label)) ++counts_[std::move(label)];
    }
  }
}

}  // namespace weft
