// Rows of Hugging Face's data sets for token classification: words and one tag for each, as text or
// as numbers of a list of names (docs/data.md, "Hugging Face").
#include <array>

#include "framework/text/records/record_values.h"
#include "framework/text/records/shapes.h"

namespace weft {
namespace {

constexpr std::array<const char*, 4> kTagKeys = {"ner_tags", "tags", "labels", "ner"};
constexpr std::array<std::string_view, 13> kKeys = {
    "id",     "text", "tokens",   "words",      "spaces", "ner_tags", "tags",
    "labels", "ner",  "pos_tags", "chunk_tags", "cats",   "meta"};

// The key of the tags: as many as words, texts or numbers; null where there is none.
const char* tag_key(const Node& record) {
  const Node* words = first_of(record, {"tokens", "words"});
  if (words == nullptr || !words->is_list()) return nullptr;
  for (const char* key : kTagKeys) {
    const Node* tags = first_of(record, {key});
    if (tags == nullptr || !tags->is_list() || tags->as_list().empty()) continue;
    const Node& first = tags->as_list().front();
    if (first.is_string() || first.is_integer()) return key;
  }
  return nullptr;
}

class HuggingFace : public RecordShape {
 public:
  std::string_view name() const override { return "Hugging Face"; }
  std::span<const std::string_view> keys() const override { return kKeys; }

  bool recognises(const Node& record) const override {
    return tag_key(record) != nullptr && first_of(record, {"entities", "ents", "spans"}) == nullptr;
  }

  void read_text(const Node& record, AnnotatedRecord& into) const override {
    read_text_and_words(record, into);
  }

  void read_annotation(const Node& record, const RecordOptions& options,
                       AnnotatedRecord& into) const override {
    const char* key = tag_key(record);
    into.tags = tags_in(*first_of(record, {key}), key, options);
    if (const Node* cats = first_of(record, {"cats"})) add_cats(*cats, into);
  }
};

}  // namespace

std::unique_ptr<const RecordShape> hugging_face_shape() {
  return std::make_unique<HuggingFace>();
}

}  // namespace weft
