#include "framework/parser/label_count.h"

#include <fmt/format.h>

#include "framework/pipeline/label_limit.h"
#include "registry/base/error.h"
#include "registry/value/config.h"

namespace weft {

void LabelCount::add(std::string_view label) {
  if (label.empty() || !labels_.insert(label).second) return;
  require_few_labels(labels_.size(), source_);
  bytes_ += label.size();
  if (bytes_ <= kMostBytes) return;
  throw Error(ErrorKind::data,
              fmt::format("{}: its labels have more than {} bytes together", source_, kMostBytes));
}

void LabelCount::add_all(const Node& labels) {
  if (labels.is_list()) {
    for (const Node& label : labels.as_list()) {
      if (label.is_string()) add(label.as_string());
    }
  }
  if (!labels.is_object()) return;
  for (const auto& [move, of_move] : labels.as_object()) {
    if (!of_move.is_object()) continue;
    for (const auto& [label, times] : of_move.as_object()) add(label);
  }
}

}  // namespace weft
