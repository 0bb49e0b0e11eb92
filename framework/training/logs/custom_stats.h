// Patterns that are looked for in the names of that which a logger is told.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "framework/regex/pattern.h"
#include "framework/training/logger.h"
#include "registry/base/export.h"

namespace weft {

// The keys that a logger of spaCy finds: `epoch`, `step`, `score`, `other_scores`, `losses`,
// `checkpoints`, `seconds`, `words`, and `output_path` where the run has an output.
WEFT_API Object told_object(const TrainingInfo& info, const std::filesystem::path& output);

class WEFT_API NamePatterns {
 public:
  // Throws Error(data) for one that is no regular expression; `setting` is how messages call them.
  NamePatterns(const std::string& setting, const std::vector<std::string>& patterns);
  // Whether one of them is found anywhere in the name.
  bool match(std::string_view name);

 private:
  std::vector<Pattern> patterns_;
  MatchScratch scratch_;
};

// Of told_object the keys that one of the patterns is found in, with all below them.
WEFT_API Object matched_stats(NamePatterns& patterns, const TrainingInfo& info,
                              const std::filesystem::path& output);

}  // namespace weft
