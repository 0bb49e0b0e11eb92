// Label Studio's JSON-MIN export: the fields of a task and what was annotated side by side, under
// the names that the project gave them (docs/data.md, "Label Studio").
#include <algorithm>
#include <array>

#include "framework/text/records/label_studio_results.h"
#include "framework/text/records/record_values.h"
#include "framework/text/records/shapes.h"

namespace weft {
namespace {

// The keys that the tool itself adds to each task.
constexpr std::array<std::string_view, 7> kOwnKeys = {
    "id",         "annotator",  "annotation_id", "annotation_unique_id",
    "created_at", "updated_at", "lead_time"};
// Names of a choice among classes of which the only answer is written as text.
constexpr std::array<std::string_view, 7> kChoiceKeys = {"choice", "choices",  "sentiment", "label",
                                                         "class",  "category", "topic"};

bool contains(std::span<const std::string_view> keys, std::string_view key) {
  return std::find(keys.begin(), keys.end(), key) != keys.end();
}

bool holds_regions(const Node& value) {
  return value.is_list() && !value.as_list().empty() &&
         first_of(value.as_list().front(), {"labels", "hypertextlabels"}) != nullptr;
}

class LabelStudioMin : public RecordShape {
 public:
  std::string_view name() const override { return "Label Studio JSON-MIN"; }
  std::span<const std::string_view> keys() const override { return kOwnKeys; }
  bool reads_under_any_key(const Node& value) const override { return holds_regions(value); }

  bool recognises(const Node& record) const override {
    if (!record.is_object()) return false;
    if (first_of(record, {"annotation_id", "lead_time"}) != nullptr) return true;
    const Object& fields = record.as_object();
    return std::any_of(fields.begin(), fields.end(), [](const Object::Entry& field) {
      return holds_regions(field.node) || first_of(field.node, {"choices"}) != nullptr;
    });
  }

  void read_text(const Node& record, AnnotatedRecord& into) const override {
    std::vector<std::string_view> others(kOwnKeys.begin(), kOwnKeys.end());
    others.insert(others.end(), kChoiceKeys.begin(), kChoiceKeys.end());
    into.text = only_text_of(record.as_object(), others);
  }

  void read_annotation(const Node& record, const RecordOptions& /*options*/,
                       AnnotatedRecord& into) const override {
    for (const auto& [key, value] : record.as_object()) {
      if (contains(kOwnKeys, key)) continue;
      if (value.is_string() && contains(kChoiceKeys, key)) {
        if (!into.classes) into.classes.emplace();
        into.classes->push_back(value.as_string());
      } else if (holds_regions(value)) {
        for (const Node& region : value.as_list()) add_result(region, into);
      } else {
        add_result(value, into);
      }
    }
  }
};

}  // namespace

std::unique_ptr<const RecordShape> label_studio_min_shape() {
  return std::make_unique<LabelStudioMin>();
}

}  // namespace weft
