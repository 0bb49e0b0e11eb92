// Facts about the annotation of one kind in a corpus, which all of its documents show together.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "framework/pipeline/data_problem.h"
#include "framework/text/doc.h"
#include "registry/base/export.h"
#include "registry/value/config.h"

namespace weft {

class WEFT_API AnnotationFacts {
 public:
  AnnotationFacts() = default;
  virtual ~AnnotationFacts() = default;
  AnnotationFacts(const AnnotationFacts&) = delete;
  AnnotationFacts& operator=(const AnnotationFacts&) = delete;

  // A document that has tokens, and its labels (AnnotationKind::labels_in).
  virtual void add(const Doc& doc, const std::vector<std::string>& labels) = 0;

  // The same of the training data beside those of the development data; null beside the former.
  // Labels of fewer than `rare` things are few.
  struct Beside {
    const AnnotationFacts* train = nullptr;
    std::int64_t rare = 0;
  };
  // By name: numbers, tables of numbers, and tables of these.
  virtual Object summary(const Beside& beside) const = 0;
  // Findings of the corpus as a whole, whose name is left to the caller.
  virtual void finish(const Beside& beside, const DataSink& tell) const = 0;
};

}  // namespace weft
