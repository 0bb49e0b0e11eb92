// Training data of spaCy 2: a text and what is annotated of it, as a list of two (docs/data.md,
// "spaCy 2").
#include <algorithm>
#include <array>

#include "framework/text/records/record_values.h"
#include "framework/text/records/shapes.h"
#include "registry/base/suggest.h"

namespace weft {
namespace {

constexpr std::array<std::string_view, 13> kKeys = {
    "entities", "cats", "words",  "spaces", "tags",  "heads",      "deps",
    "lemmas",   "pos",  "morphs", "links",  "sents", "sent_starts"};

// Nothing else may stand there, so that each unknown key is a mistake.
void check_keys(const Object& annotation) {
  for (const auto& [key, value] : annotation) {
    if (std::find(kKeys.begin(), kKeys.end(), key) != kKeys.end()) continue;
    const std::string near = suggestion(key, {kKeys.begin(), kKeys.end()});
    fail_record("unknown key \"" + key + "\" in the annotation of a text" +
                (near.empty() ? "" : " (did you mean " + near + "?)"));
  }
}

class SpacyTuple : public RecordShape {
 public:
  std::string_view name() const override { return "spaCy 2"; }
  std::span<const std::string_view> keys() const override { return kKeys; }

  bool recognises(const Node& record) const override {
    return record.is_list() && record.as_list().size() == 2 && record.as_list()[0].is_string() &&
           record.as_list()[1].is_object();
  }

  void read_text(const Node& record, AnnotatedRecord& into) const override {
    const Node& annotation = record.as_list()[1];
    if (first_of(annotation, {"words"}) != nullptr) read_text_and_words(annotation, into);
    into.text = record.as_list()[0].as_string();
  }

  void read_annotation(const Node& record, const RecordOptions& options,
                       AnnotatedRecord& into) const override {
    const Node& annotation = record.as_list()[1];
    check_keys(annotation.as_object());
    if (const Node* entities = first_of(annotation, {"entities"})) {
      if (holds_texts(*entities)) {
        into.tags = tags_in(*entities, "entities", options);
      } else if (may_hold_spans(*entities)) {
        into.spans.emplace();
        add_spans(*entities, *into.spans);
      } else {
        fail_record("\"entities\" is neither a list of [start, end, label] nor one of tags");
      }
    }
    if (const Node* cats = first_of(annotation, {"cats"})) add_cats(*cats, into);
  }
};

}  // namespace

std::unique_ptr<const RecordShape> spacy_tuple_shape() {
  return std::make_unique<SpacyTuple>();
}

}  // namespace weft
