// Prodigy's tasks, one on each line (docs/data.md, "Prodigy"). Source of the keys: Prodigy's pages
// on its annotation interfaces, prodi.gy/docs/api-interfaces.
#include <array>
#include <set>

#include "framework/text/records/record_values.h"
#include "framework/text/records/shapes.h"

namespace weft {
namespace {

constexpr std::array<std::string_view, 18> kKeys = {
    "text", "tokens", "spans", "label",  "labels", "options", "accept", "answer",    "cats",
    "meta", "id",     "html",  "config", "words",  "spaces",  "image",  "relations", "priority"};

Verdict verdict_of(const Node& record) {
  const Node* answer = first_of(record, {"answer"});
  if (answer == nullptr) return Verdict::gold;
  const std::string& said = text_in(*answer, "\"answer\"");
  if (said == "accept") return Verdict::gold;
  if (said == "reject") return Verdict::rejected;
  if (said == "ignore") return Verdict::ignored;
  fail_record("\"answer\" is \"" + said + "\"; accept, reject or ignore is expected");
}

// A choice: every option that was offered, those that were taken with 1.
void add_choice(const Node* options, const Node& accept, AnnotatedRecord& into) {
  if (!accept.is_list()) fail_record("\"accept\" is not a list");
  std::vector<std::string> taken;
  for (const Node& id : accept.as_list()) taken.push_back(name_in(id, "an accepted option"));
  if (options == nullptr) {
    into.classes = std::move(taken);
    return;
  }
  if (!options->is_list()) fail_record("\"options\" is not a list");
  const std::set<std::string> accepted(taken.begin(), taken.end());
  for (const Node& option : options->as_list()) {
    const Node* id = first_of(option, {"id"});
    if (id == nullptr) fail_record("an option without \"id\"");
    const std::string label = name_in(*id, "the id of an option");
    into.cats.emplace_back(label, accepted.contains(label) ? 1.0 : 0.0);
  }
}

class Prodigy : public RecordShape {
 public:
  std::string_view name() const override { return "Prodigy"; }
  std::span<const std::string_view> keys() const override { return kKeys; }

  bool recognises(const Node& record) const override {
    return first_of(record, {"answer", "_input_hash", "_task_hash", "_view_id"}) != nullptr ||
           (first_of(record, {"options"}) != nullptr && first_of(record, {"accept"}) != nullptr);
  }

  void read_text(const Node& record, AnnotatedRecord& into) const override {
    read_text_and_words(record, into);
  }

  void read_annotation(const Node& record, const RecordOptions& /*options*/,
                       AnnotatedRecord& into) const override {
    into.verdict = verdict_of(record);
    if (into.verdict != Verdict::gold) return;
    if (const Node* spans = first_of(record, {"spans"})) {
      if (!may_hold_spans(*spans)) fail_record("\"spans\" is not a list of entities");
      into.spans.emplace();
      add_spans(*spans, *into.spans);
    }
    if (const Node* accept = first_of(record, {"accept"})) {
      add_choice(first_of(record, {"options"}), *accept, into);
    } else if (const Node* label = first_of(record, {"label"}); label != nullptr && !into.spans) {
      into.classes = {name_in(*label, "\"label\"")};
    }
    if (const Node* cats = first_of(record, {"cats"})) add_cats(*cats, into);
  }
};

}  // namespace

std::unique_ptr<const RecordShape> prodigy_shape() {
  return std::make_unique<Prodigy>();
}

}  // namespace weft
