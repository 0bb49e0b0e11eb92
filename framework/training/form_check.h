// Words that are annotated in one way once and in another many times, which may be a mistake.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "framework/pipeline/annotation_kind.h"
#include "framework/pipeline/data_problem.h"
#include "registry/base/export.h"
#include "registry/base/seeded_hash.h"

namespace weft {

// Of one kind of annotation in one corpus.
class WEFT_API FormCheck {
 public:
  // A word is looked at if it is there at least so often.
  static constexpr std::int64_t kOften = 20;

  void add(const PlacedDoc& placed, const AnnotationKind& kind);
  // Tells of each word that comes often, and that has a label only once, in the order of the
  // words. The corpus of a problem is left to the caller.
  void finish(const AnnotationKind& kind, const DataSink& tell) const;

 private:
  struct Use {
    std::string label;
    std::int64_t times = 0;
    // Where it came first.
    const std::string* file = nullptr;
    int line = 0;
    std::int64_t document = 0, start = 0, end = 0;
  };
  // The uses of a word, in the order in which its labels came.
  struct Uses {
    Use* find(const std::string& label);
    void add(Use use);

    std::vector<Use> list;
    std::unordered_map<std::string, std::size_t, SeededHash> places;  // once there are many
  };
  std::set<std::string> files_;
  std::unordered_map<std::string, Uses, SeededHash> words_;
};

}  // namespace weft
