// The words of a corpus, and those of them that word vectors do not know.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>

#include "framework/pipeline/data_problem.h"
#include "framework/text/doc.h"
#include "framework/text/vectors.h"
#include "registry/base/export.h"
#include "registry/base/seeded_hash.h"

namespace weft {

class WEFT_API WordCounts {
 public:
  void add(const Doc& doc);
  std::int64_t different() const { return static_cast<std::int64_t>(words_.size()); }

  // Tells of words that have no row, where vectors are looked up by the text of a word or by its
  // lower case. The corpus is left to the caller.
  void check_vectors(const Vectors& vectors, const DataSink& tell) const;

 private:
  std::unordered_map<std::string, std::int64_t, SeededHash> words_;
  std::int64_t all_ = 0;
};

}  // namespace weft
