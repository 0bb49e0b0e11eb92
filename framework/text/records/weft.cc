// Records that weft writes itself: `ents` are the entities, and whatever other fields a line
// carries along belong to the user.
#include <array>

#include "framework/text/records/record_values.h"
#include "framework/text/records/shapes.h"

namespace weft {
namespace {

constexpr std::array<std::string_view, 6> kKeys = {"text", "tokens", "spaces",
                                                   "ents", "cats",   "spans"};

class Weft : public RecordShape {
 public:
  std::string_view name() const override { return "weft"; }
  std::span<const std::string_view> keys() const override { return kKeys; }

  bool recognises(const Node& record) const override {
    const Node* ents = first_of(record, {"ents"});
    const Node* tokens = first_of(record, {"tokens"});
    return ents != nullptr && may_hold_spans(*ents) && tokens != nullptr && tokens->is_list() &&
           first_of(record, {"cats"}) != nullptr;
  }

  void read_text(const Node& record, AnnotatedRecord& into) const override {
    read_text_and_words(record, into);
  }

  void read_annotation(const Node& record, const RecordOptions& /*options*/,
                       AnnotatedRecord& into) const override {
    into.spans.emplace();
    add_spans(*first_of(record, {"ents"}), *into.spans);
    add_cats(*first_of(record, {"cats"}), into);
    const Node* groups = first_of(record, {"spans"});
    if (groups != nullptr && groups->is_object()) add_groups(*groups, into);
  }
};

}  // namespace

std::unique_ptr<const RecordShape> weft_shape() {
  return std::make_unique<Weft>();
}

}  // namespace weft
