// Records of no tool in particular: text or words, with entities or tags under any of the common
// keys.
#include <array>

#include "framework/text/records/record_values.h"
#include "framework/text/records/shapes.h"

namespace weft {
namespace {

constexpr std::array<std::string_view, 13> kKeys = {
    "text",  "words",  "tokens", "spaces",   "entities", "ents", "spans",
    "label", "labels", "cats",   "ner_tags", "id",       "meta"};

class Plain : public RecordShape {
 public:
  std::string_view name() const override { return "plain"; }
  std::span<const std::string_view> keys() const override { return kKeys; }

  bool recognises(const Node& record) const override {
    return first_of(record, {"text", "words", "tokens"}) != nullptr;
  }

  void read_text(const Node& record, AnnotatedRecord& into) const override {
    read_text_and_words(record, into);
  }

  void read_annotation(const Node& record, const RecordOptions& options,
                       AnnotatedRecord& into) const override {
    if (const Node* tags = first_of(record, {"ner_tags"})) {
      into.tags = tags_in(*tags, "ner_tags", options);
    }
    for (const char* key : {"entities", "ents", "spans"}) {
      const Node* list = first_of(record, {key});
      if (list == nullptr) continue;
      if (key == std::string_view("spans") && list->is_object()) {
        add_groups(*list, into);
        continue;
      }
      if (!may_hold_spans(*list)) {
        fail_record(std::string("\"") + key +
                    "\" is no list of entities; [[0, 4, \"ORG\"]] is expected");
      }
      if (!into.spans) into.spans.emplace();
      add_spans(*list, *into.spans);
    }
    add_labels(record, into);
    if (const Node* cats = first_of(record, {"cats"})) add_cats(*cats, into);
  }
};

}  // namespace

std::unique_ptr<const RecordShape> plain_shape() {
  return std::make_unique<Plain>();
}

}  // namespace weft
