#include "framework/text/records/label_studio_results.h"

#include <algorithm>
#include <vector>

#include "framework/text/records/record_values.h"
#include "registry/base/suggest.h"

namespace weft {
namespace {

// A region with several labels is that many entities, of which one fits.
void add_region(const Node& value, const Node& labels, AnnotatedRecord& into) {
  // In regions of HTML `start` and `end` are paths; the characters stand beside them.
  const Node* global = first_of(value, {"globalOffsets"});
  const Node& place = global != nullptr ? *global : value;
  const Node* start = first_of(place, {"start"});
  const Node* end = first_of(place, {"end"});
  if (start == nullptr || end == nullptr) fail_record("a region without \"start\" or \"end\"");
  if (!into.spans) into.spans.emplace();
  for (const std::string& label : texts_in(labels, "a label of a region")) {
    RecordSpan span = span_in(List{*start, *end, label});
    if (const Node* text = first_of(value, {"text"}); text != nullptr && text->is_string()) {
      span.quote = text->as_string();
    }
    into.spans->push_back(std::move(span));
  }
}

// Regions of speech, pictures and the like have labels under other names and no characters.
void refuse_other_labels(const Node& value) {
  const bool is_list = value.is_list() && !value.as_list().empty();
  const Node& region = is_list ? value.as_list().front() : value;
  if (first_of(region, {"start", "end", "x", "points", "rle", "sequence"}) == nullptr) return;
  for (const auto& [key, labels] : region.as_object()) {
    if (!key.ends_with("labels") || !labels.is_list()) continue;
    fail_record("regions with \"" + key +
                "\" are not read, only those with labels or hypertextlabels");
  }
}

}  // namespace

std::string only_text_of(const Object& fields, std::span<const std::string_view> others) {
  const Node* text = fields.find("text");
  if (text != nullptr && text->is_string()) return text->as_string();
  std::vector<std::string> names;
  for (const auto& [key, value] : fields) {
    const bool is_other = std::find(others.begin(), others.end(), key) != others.end();
    if (value.is_string() && !is_other) names.push_back(key);
  }
  if (names.size() == 1) return fields.find(names.front())->as_string();
  if (names.empty()) fail_record("a task without a text");
  fail_record("a task with several texts (" + join_or(names) + ") of which none is \"text\"");
}

bool add_result(const Node& value, AnnotatedRecord& into) {
  if (const Node* labels = first_of(value, {"labels", "hypertextlabels"}); labels != nullptr) {
    if (!labels->is_list()) fail_record("the labels of a region are not a list");
    add_region(value, *labels, into);
    return true;
  }
  const Node* choices = first_of(value, {"choices"});
  if (choices == nullptr) {
    refuse_other_labels(value);
    return false;
  }
  if (!into.classes) into.classes.emplace();
  if (choices->is_string()) {
    into.classes->push_back(choices->as_string());
  } else if (choices->is_list()) {
    for (std::string& name : texts_in(*choices, "a choice"))
      into.classes->push_back(std::move(name));
  } else {
    fail_record("\"choices\" is not a list");
  }
  return true;
}

}  // namespace weft
