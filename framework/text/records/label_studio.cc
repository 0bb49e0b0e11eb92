// Label Studio's JSON export: tasks with the results of one or several annotators (docs/data.md,
// "Label Studio"). Source: labelstud.io/guide/export, "Label Studio JSON format".
#include <array>

#include "framework/text/records/label_studio_results.h"
#include "framework/text/records/record_values.h"
#include "framework/text/records/shapes.h"

namespace weft {
namespace {

constexpr std::array<std::string_view, 12> kKeys = {
    "id",     "data",        "annotations", "completions", "predictions", "meta",
    "drafts", "file_upload", "created_at",  "updated_at",  "project",     "inner_id"};

bool is_true(const Node& annotation, const char* key) {
  const Node* value = first_of(annotation, {key});
  return value != nullptr && value->is_bool() && value->as_bool();
}

// The annotation that counts: the one marked as ground truth, else the first that its annotator
// did not skip; null where there is none.
const Node* chosen(const List& annotations) {
  const Node* first = nullptr;
  for (const Node& annotation : annotations) {
    if (is_true(annotation, "was_cancelled") || is_true(annotation, "skipped")) continue;
    if (is_true(annotation, "ground_truth")) return &annotation;
    if (first == nullptr) first = &annotation;
  }
  return first;
}

// An annotation of which nothing is read would pass for one without entities.
[[noreturn]] void refuse_results(const List& results) {
  const Node* type = first_of(results.front(), {"type"});
  const bool is_named = type != nullptr && type->is_string();
  fail_record("an annotation" + (is_named ? " of type \"" + type->as_string() + "\"" : "") +
              " that has neither labels nor choices");
}

class LabelStudio : public RecordShape {
 public:
  std::string_view name() const override { return "Label Studio"; }
  std::span<const std::string_view> keys() const override { return kKeys; }

  bool recognises(const Node& record) const override {
    const Node* data = first_of(record, {"data"});
    const Node* annotations = first_of(record, {"annotations", "completions"});
    return data != nullptr && data->is_object() && annotations != nullptr && annotations->is_list();
  }

  void read_text(const Node& record, AnnotatedRecord& into) const override {
    into.text = only_text_of(first_of(record, {"data"})->as_object(), {});
  }

  void read_annotation(const Node& record, const RecordOptions& /*options*/,
                       AnnotatedRecord& into) const override {
    const List& annotations = first_of(record, {"annotations", "completions"})->as_list();
    if (annotations.empty()) return;
    const Node* annotation = chosen(annotations);
    if (annotation == nullptr) {
      into.verdict = Verdict::ignored;
      return;
    }
    const Node* results = first_of(*annotation, {"result"});
    if (results == nullptr || !results->is_list()) fail_record("an annotation without \"result\"");
    bool is_read = false;
    for (const Node& result : results->as_list()) {
      const Node* value = first_of(result, {"value"});
      is_read = (value != nullptr && add_result(*value, into)) || is_read;
    }
    if (is_read) return;
    if (!results->as_list().empty()) refuse_results(results->as_list());
    into.spans.emplace();
    into.classes.emplace();
    into.is_undecided = true;
  }
};

}  // namespace

std::unique_ptr<const RecordShape> label_studio_shape() {
  return std::make_unique<LabelStudio>();
}

}  // namespace weft
