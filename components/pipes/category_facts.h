// Facts about the categories of a corpus whose labels do not exclude each other. Source: spaCy 3.8,
// `debug data`.
#pragma once

#include <cstdint>

#include "framework/pipeline/annotation_facts.h"

namespace weft {

class CategoryFacts final : public AnnotationFacts {
 public:
  void add(const Doc& doc, const std::vector<std::string>& labels) override;
  Object summary(const Beside& beside) const override;
  void finish(const Beside& beside, const DataSink& tell) const override;

 private:
  std::int64_t one_ = 0, others_ = 0;  // documents with one category, and with none or several
};

}  // namespace weft
