#include "framework/training/label_check.h"

#include <fmt/format.h>

#include "registry/base/letter_case.h"

namespace weft {
namespace {

// A label without what people write differently by mistake.
std::string folded(const std::string& label) {
  std::string result;
  for (const char c : label) {
    if (c != ' ' && c != '-' && c != '_' && c != '.') result += c;
  }
  return lower_case(result);
}

bool has_any(const LabelCounts& counts, const std::string& label) {
  const auto found = counts.labels.find(label);
  return found != counts.labels.end() && found->second > 0;
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
      found.message = count == 0
                          ? "the label is named, but no document has it: it cannot be learned"
                          : fmt::format("the label is learnt from {} of the {}", count, things);
      found.repair = "annotate more, or merge it with another label";
      tell(found);
    }
    if (!has_dev || count == 0 || has_any(dev, label)) continue;
    found.fault = DataFault::one_sided_label;
    found.message = "the label is not in the development data: it is never evaluated";
    found.repair = "put some of its documents there";
    tell(found);
  }
  for (const auto& [label, count] : dev.labels) {
    if (count == 0 || has_any(train, label)) continue;
    tell({.fault = DataFault::one_sided_label,
          .corpus = dev.corpus,
          .label = label,
          .message = fmt::format("the label is not in the training data: {} of the {} here have it "
                                 "and are always missed",
                                 count, things),
          .repair = "put some of its documents there, or correct the label"});
  }
  check_spelling(train, dev, tell);
}

}  // namespace weft
