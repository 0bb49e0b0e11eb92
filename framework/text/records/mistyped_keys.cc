#include "framework/text/records/mistyped_keys.h"

#include <algorithm>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "framework/text/records/entity_tag.h"
#include "framework/text/records/record_values.h"
#include "registry/base/letter_case.h"
#include "registry/base/suggest.h"

namespace weft {
namespace {

const std::vector<std::string>& annotation_keys() {
  static const std::vector<std::string>& keys = *new std::vector<std::string>{
      "entities", "ents",   "spans",   "label",  "labels", "ner_tags", "tags",
      "cats",     "accept", "options", "answer", "words",  "tokens",   "annotations"};
  return keys;
}

// The known keys that it may stand for: the same but for a slip, not names that share a word.
std::string meant_by(const std::string& key) {
  std::string word = lower_case(key);
  const std::vector<std::string>& known = annotation_keys();
  if (word != key && std::find(known.begin(), known.end(), word) != known.end()) return word;
  if (word.find_first_of("._- ") != word.npos) return "";
  std::vector<std::string> close;
  for (std::string& name : nearest(word, known)) {
    const std::size_t longer = std::max(name.size(), word.size());
    if (longer - std::min(name.size(), word.size()) <= 2) close.push_back(std::move(name));
  }
  return join_or(close);
}

// [[0, 4, "ORG"]] or [{"start": 0, "end": 4, "type": "ORG"}], whatever the names.
bool looks_like_spans(const Node& value) {
  if (!value.is_list() || value.as_list().empty()) return false;
  const Node& first = value.as_list().front();
  if (first.is_list()) {
    const List& parts = first.as_list();
    return parts.size() >= 3 && parts[0].is_integer() && parts[1].is_integer() &&
           parts[2].is_string();
  }
  return first_of(first, {"start", "start_char", "start_offset", "begin", "from", "offset"}) !=
             nullptr &&
         first_of(first, {"label", "labels", "type", "tag", "entity", "category"}) != nullptr;
}

// Tags of entities, one at least. A text's keywords and classes may have these keys too.
bool holds_entity_tags(std::string_view key, const Node& value) {
  if (key != "tags" && key != "ner" && key != "label" && key != "labels") return false;
  if (!holds_texts(value)) return false;
  const List& list = value.as_list();
  const auto is_tag = [](const Node& tag) {
    return tag.is_string() && is_entity_tag(tag.as_string());
  };
  const auto is_outside = [](const Node& tag) { return tag.is_string() && tag.as_string() == "O"; };
  return std::all_of(list.begin(), list.end(), is_tag) &&
         !std::all_of(list.begin(), list.end(), is_outside);
}

bool is_known(const RecordShape& shape, std::string_view key) {
  const auto keys = shape.keys();
  return key.starts_with('_') || std::find(keys.begin(), keys.end(), key) != keys.end();
}

}  // namespace

void refuse_mistyped_keys(const Node& record, const RecordShape& shape,
                          const AnnotatedRecord& found) {
  if (!record.is_object() || found.verdict != Verdict::gold) return;
  for (const auto& [key, value] : record.as_object()) {
    if (!found.words && !found.tags && holds_entity_tags(key, value)) {
      fail_record(fmt::format("\"{}\" has tags of words, and the record has no \"tokens\"", key));
    }
    if (is_known(shape, key) || shape.reads_under_any_key(value)) continue;
    const bool may_be_lost = looks_like_spans(value);
    const bool is_lost = may_be_lost && !found.spans && !found.tags;
    const std::string meant = found.is_annotated() && !may_be_lost ? "" : meant_by(key);
    if (!is_lost && meant.empty()) continue;
    fail_record(fmt::format("unknown key \"{}\"{}{}; docs/data.md shows the shapes that are read",
                            key, is_lost ? ", which seems to hold entities" : "",
                            meant.empty() ? "" : " (did you mean " + meant + "?)"));
  }
}

}  // namespace weft
