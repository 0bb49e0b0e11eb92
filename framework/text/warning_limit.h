// Warnings about input that may be wrong in a million places: the first of each kind are shown, the
// others are counted.
#pragma once

#include <cstdint>
#include <functional>
#include <iosfwd>
#include <map>
#include <string>
#include <string_view>

#include "registry/base/export.h"

namespace weft {

class WEFT_API WarningLimit {
 public:
  // `err` outlives this. Of each kind `most` lines are shown.
  explicit WarningLimit(std::ostream& err, std::int64_t most = 20);

  // Writes the line, which has no line feed, or counts it.
  void show(std::string_view kind, std::string_view line);

  // "... and 1234 more of this kind: KIND", for each kind of which lines were left out since the
  // last time.
  void summarize();

 private:
  std::ostream& err_;
  std::int64_t most_;
  std::map<std::string, std::int64_t, std::less<>> counts_;  // by kind
};

}  // namespace weft
