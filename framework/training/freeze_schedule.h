// Which parts of a pipeline are frozen at each step of a run.
// Source: docs/training.md, "Frozen components and layers".
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "framework/pipeline/frozen.h"
#include "registry/base/export.h"

namespace weft {

class Language;
struct TrainingSettings;
struct UnfreezeSettings;

class WEFT_API FreezeSchedule {
 public:
  FreezeSchedule() = default;  // nothing, ever
  // [training] frozen_components and unfreeze. Throws Error(config) for names that the pipeline
  // lacks, for one that is unfrozen and was not frozen, and for lists of different length.
  FreezeSchedule(const Language& nlp, const TrainingSettings& settings);

  Frozen at(std::int64_t step) const;
  // The parts that no step changes.
  Frozen for_good() const;

 private:
  struct Part {
    Frozen frozen;
    std::int64_t until = -1;  // the first step that trains it; -1: none
  };
  std::vector<Part> parts_;
};

// Replaces the entries of frozen_components by the names of the components that are frozen for good
// and sets `freezing`. Throws as FreezeSchedule does.
WEFT_API void resolve_freezing(const Language& nlp, TrainingSettings& settings);

}  // namespace weft
