#include "framework/training/label_check.h"

#include <fmt/format.h>

namespace weft {
namespace {

// A label without what people write differently by mistake.
std::string folded(const std::string& label) {
  std::string result;
  for (const char c : label) {
    if (c == ' ' || c == '-' || c == '_' || c == '.') continue;
    result += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  }
  return result;
}

void check_spelling(const LabelCounts& train, const LabelCounts& dev, const DataSink& tell) {
  std::map<std::string, std::string> first;  // folded -> as it stands
  for (const LabelCounts* side : {&train, &dev}) {
    for (const auto& [label, count] : side->labels) {
      const auto [place, is_new] = first.try_emplace(folded(label), label);
      if (is_new || place->second == label) continue;
      tell({.fault = DataFault::similar_labels,
            .corpus = side->corpus,
            .label = label,
            .message = fmt::format("the label differs from '{}' in spelling only", place->second),
            .repair = fmt::format("write '{}' everywhere", place->second)});
    }
  }
}

}  // namespace

void check_labels(std::string_view things, const LabelCounts& train, const LabelCounts& dev,
                  bool has_dev, std::int64_t rare, const DataSink& tell) {
  for (const auto& [label, count] : train.labels) {
    DataProblem found{.fault = DataFault::rare_label, .corpus = train.corpus, .label = label};
    if (count < rare) {
      found.message = fmt::format("{} {} to learn the label from", count, things);
      found.repair = "annotate more, or merge it with another label";
      tell(found);
    }
    if (!has_dev || dev.labels.contains(label)) continue;
    found.fault = DataFault::one_sided_label;
    found.message = "the label is not in the development data: it is never evaluated";
    found.repair = "put some of its documents there";
    tell(found);
  }
  for (const auto& [label, count] : dev.labels) {
    if (train.labels.contains(label)) continue;
    tell({.fault = DataFault::one_sided_label,
          .corpus = dev.corpus,
          .label = label,
          .message = fmt::format("the label is not in the training data: its {} {} are always "
                                 "missed",
                                 count, things),
          .repair = "put some of its documents there, or correct the label"});
  }
  check_spelling(train, dev, tell);
}

}  // namespace weft
