// Labels in the data to evaluate on that the pipeline cannot predict, now or after training.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "framework/pipeline/annotation_kind.h"
#include "framework/text/example.h"
#include "registry/base/export.h"

namespace weft {

class Language;

struct UnseenLabel {
  std::string label;
  std::int64_t count = 0;      // in the data to evaluate on
  bool is_trained_on = false;  // the training data has it, but no component that is trained
};

class WEFT_API UnseenLabels {
 public:
  // Knows the labels of the components as they are now. Those named by `frozen` learn no more.
  explicit UnseenLabels(const Language& nlp, const std::vector<std::string>& frozen = {});

  void add(const Example& example);
  // An example that is trained on: components that are trained take up its labels on the way.
  void add_trained(const Example& example);
  // Whether `add_trained` could change anything.
  bool needs_training_data() const;

  // The labels in the references that no component of their kind of annotation has or will have, by
  // label. Kinds of which no component has a label are not looked at.
  std::vector<UnseenLabel> found() const;

 private:
  struct Kind {
    std::set<std::string> known;
    bool learns = false;  // one of its components is trained
    std::map<std::string, UnseenLabel> unseen;
  };
  std::map<const AnnotationKind*, Kind> kinds_;
};

}  // namespace weft
