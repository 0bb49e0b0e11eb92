// Facts about the parses of a corpus. Source: spaCy 3.8, `debug data`.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "framework/pipeline/annotation_facts.h"

namespace weft {

class DependencyFacts final : public AnnotationFacts {
 public:
  void add(const Doc& doc, const std::vector<std::string>& labels) override;
  Object summary(const Beside& beside) const override;
  void finish(const Beside& beside, const DataSink& tell) const override;

 private:
  double sentences_of_a_document() const;

  std::int64_t documents_ = 0, words_ = 0, sentences_ = 0;  // of those with a parse
  std::int64_t crossing_ = 0;                               // documents whose arcs cross
  std::map<std::string, std::int64_t> roots_;               // labels of roots
  std::map<std::string, std::int64_t> lifted_;              // labels of two parts
};

}  // namespace weft
