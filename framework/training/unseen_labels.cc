#include "framework/training/unseen_labels.h"

#include <algorithm>
#include <utility>

#include "framework/pipeline/component_name.h"
#include "framework/pipeline/language.h"

namespace weft {

UnseenLabels::UnseenLabels(const Language& nlp, const std::vector<std::string>& frozen) {
  for (const NamedComponent& component : nlp.pipeline()) {
    const AnnotationKind* annotation = component.component->annotation();
    if (annotation == nullptr) continue;
    Kind& kind = kinds_[annotation];
    const std::vector<std::string> labels = component.component->labels();
    kind.known.insert(labels.begin(), labels.end());
    const bool is_frozen = names_contain(frozen, component.name);
    kind.learns = kind.learns || (component.enabled && !is_frozen);
  }
  std::erase_if(kinds_, [](const auto& kind) { return kind.second.known.empty(); });
}

void UnseenLabels::add(const Example& example) {
  for (auto& [annotation, kind] : kinds_) {
    for (const std::string& label : annotation->labels_in(example.reference())) {
      if (kind.known.contains(label)) continue;
      UnseenLabel& unseen = kind.unseen[label];
      unseen.label = label;
      ++unseen.count;
    }
  }
}

void UnseenLabels::add_trained(const Example& example) {
  for (auto& [annotation, kind] : kinds_) {
    if (kind.unseen.empty()) continue;
    for (const std::string& label : annotation->labels_in(example.reference())) {
      const auto unseen = kind.unseen.find(label);
      if (unseen == kind.unseen.end()) continue;
      if (kind.learns) {
        kind.unseen.erase(unseen);
      } else {
        unseen->second.is_trained_on = true;
      }
    }
  }
}

bool UnseenLabels::needs_training_data() const {
  return std::any_of(kinds_.begin(), kinds_.end(), [](const auto& kind) {
    const auto& unseen = kind.second.unseen;
    return std::any_of(unseen.begin(), unseen.end(),
                       [](const auto& label) { return !label.second.is_trained_on; });
  });
}

std::vector<UnseenLabel> UnseenLabels::found() const {
  std::vector<UnseenLabel> all;
  for (const auto& [annotation, kind] : kinds_) {
    for (const auto& [label, unseen] : kind.unseen) all.push_back(unseen);
  }
  std::stable_sort(all.begin(), all.end(), [](const UnseenLabel& left, const UnseenLabel& right) {
    return left.label < right.label;
  });
  return all;
}

}  // namespace weft
