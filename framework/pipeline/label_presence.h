// In how many documents of a corpus each label is: of one that is in all of them nothing shows how
// a text without it looks. Source: spaCy 3.8, `debug data`.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "framework/pipeline/data_problem.h"
#include "registry/base/export.h"

namespace weft {

class WEFT_API LabelPresence {
 public:
  // The labels of one document, one for each thing.
  void add(const std::vector<std::string>& labels);
  // Tells of labels that all documents have, of fewer than `fewer_than` things where that is not 0.
  // Of a single document nothing is told.
  void finish(std::string_view things, std::int64_t fewer_than, const DataSink& tell) const;

 private:
  struct Count {
    std::int64_t documents = 0, things = 0;
  };
  std::map<std::string, Count> labels_;
  std::int64_t documents_ = 0;
};

}  // namespace weft
