#include "framework/pipeline/label_presence.h"

#include <set>

#include <fmt/format.h>

namespace weft {

void LabelPresence::add(const std::vector<std::string>& labels) {
  ++documents_;
  for (const std::string& label : labels) ++labels_[label].things;
  for (const std::string& label : std::set(labels.begin(), labels.end())) {
    ++labels_[label].documents;
  }
}

void LabelPresence::finish(std::string_view things, std::int64_t fewer_than,
                           const DataSink& tell) const {
  if (documents_ < 2) return;
  for (const auto& [label, count] : labels_) {
    if (count.documents < documents_ || (fewer_than > 0 && count.things >= fewer_than)) continue;
    tell({.fault = DataFault::always_present,
          .corpus = {},
          .label = label,
          .message =
              fmt::format("each of the {} documents has {} with this label", documents_, things),
          .repair = "add documents without them"});
  }
}

}  // namespace weft
