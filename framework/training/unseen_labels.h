// Labels in the data to evaluate on that the pipeline cannot predict.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>

#include "framework/pipeline/annotation_kind.h"
#include "framework/text/example.h"
#include "registry/base/export.h"

namespace weft {

class Language;

class WEFT_API UnseenLabels {
 public:
  // Knows the labels of the components as they are now.
  explicit UnseenLabels(const Language& nlp);

  void add(const Example& example);
  // The labels in the references that no component of their kind of annotation has, and how often
  // they stand there. Kinds of which no component has a label are not looked at.
  const std::map<std::string, std::int64_t>& counts() const { return counts_; }

 private:
  std::map<const AnnotationKind*, std::set<std::string>> known_;
  std::map<std::string, std::int64_t> counts_;
};

}  // namespace weft
