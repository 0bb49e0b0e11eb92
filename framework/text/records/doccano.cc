// doccano's exports: sequence labelling in its two forms, and text classification (docs/data.md,
// "doccano"). A single class as text is read in the same way.
#include <array>

#include "framework/text/records/record_values.h"
#include "framework/text/records/shapes.h"

namespace weft {
namespace {

constexpr std::array<std::string_view, 13> kKeys = {
    "id",   "text",     "data",     "label",     "labels", "entities", "annotations",
    "meta", "Comments", "comments", "relations", "cats",   "user"};

class Doccano : public RecordShape {
 public:
  std::string_view name() const override { return "doccano"; }
  std::span<const std::string_view> keys() const override { return kKeys; }

  bool recognises(const Node& record) const override {
    if (first_of(record, {"ner_tags", "spans", "ents", "words", "tokens"}) != nullptr) return false;
    const Node* text = first_of(record, {"text", "data"});
    return text != nullptr && text->is_string() &&
           first_of(record, {"label", "labels", "entities", "annotations"}) != nullptr;
  }

  void read_text(const Node& record, AnnotatedRecord& into) const override {
    into.text = text_in(*first_of(record, {"text", "data"}), "\"text\"");
  }

  void read_annotation(const Node& record, const RecordOptions& /*options*/,
                       AnnotatedRecord& into) const override {
    for (const char* key : {"entities", "annotations"}) {
      const Node* list = first_of(record, {key});
      if (list == nullptr) continue;
      if (!may_hold_spans(*list)) {
        fail_record(std::string("\"") + key +
                    "\" is not a list of entities: [[0, 4, \"ORG\"]] or "
                    "[{\"start_offset\": 0, \"end_offset\": 4, \"label\": \"ORG\"}] is expected");
      }
      if (!into.spans) into.spans.emplace();
      add_spans(*list, *into.spans);
    }
    add_labels(record, into);
    if (const Node* cats = first_of(record, {"cats"})) add_cats(*cats, into);
  }
};

}  // namespace

std::unique_ptr<const RecordShape> doccano_shape() {
  return std::make_unique<Doccano>();
}

}  // namespace weft
