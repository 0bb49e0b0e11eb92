#include "framework/text/warning_limit.h"

#include <ostream>

namespace weft {

WarningLimit::WarningLimit(std::ostream& err, std::int64_t most) : err_(err), most_(most) {}

void WarningLimit::show(std::string_view kind, std::string_view line) {
  auto count = counts_.find(kind);
  if (count == counts_.end()) count = counts_.emplace(kind, 0).first;
  if (++count->second <= most_) err_ << line << '\n';
}

void WarningLimit::summarize() {
  for (auto& [kind, count] : counts_) {
    if (count <= most_) continue;
    err_ << "... and " << count - most_ << " more of this kind: " << kind << '\n';
    count = most_;
  }
}

}  // namespace weft
