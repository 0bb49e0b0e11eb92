#include "framework/text/records/record_values.h"

#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "registry/base/error.h"
#include "registry/value/json.h"

namespace weft {
namespace {

std::size_t offset_in(const Node& value) {
  const auto* number = std::get_if<std::int64_t>(&value.value());
  if (number == nullptr || *number < 0)
    fail_record("an offset of an entity is not a number from 0 on");
  return static_cast<std::size_t>(*number);
}

std::string optional_text(const Node& record, const char* key) {
  const Node* value = first_of(record, {key});
  return value != nullptr && value->is_string() ? value->as_string() : std::string();
}

bool boolean_in(const Node& value) {
  if (!value.is_bool()) fail_record("a value of \"spaces\" is not true or false");
  return value.as_bool();
}

void read_words(const Node& list, AnnotatedRecord& into) {
  if (!list.is_list()) fail_record("the words are not a list");
  into.words.emplace();
  for (const Node& value : list.as_list()) {
    if (value.is_string()) {
      into.words->push_back(value.as_string());
      continue;
    }
    const Node* text = first_of(value, {"text"});
    if (text == nullptr) fail_record("a word is not text");
    into.words->push_back(text_in(*text, "a word"));
    if (const Node* space = first_of(value, {"ws"})) into.spaces.push_back(boolean_in(*space));
  }
}

// In the words of JSON.
std::string_view kind_of(const Node& value) {
  if (value.is_object()) return "an object";
  return value.is_list() ? "a list of numbers" : value.type_name();
}

std::string tag_of_number(std::int64_t number, const char* key, const RecordOptions& options) {
  constexpr std::int64_t kNotAnnotated = -100;  // as the trainers of that library pass it over
  if (number == kNotAnnotated) return "-";
  if (options.tag_names.empty()) {
    fail_record(
        fmt::format("\"{}\" holds numbers: give the names of the tags in their order, as in "
                    "--tag-names O,B-PER,I-PER or the reader's tag_names = "
                    "[\"O\",\"B-PER\",\"I-PER\"]",
                    key));
  }
  const auto count = static_cast<std::int64_t>(options.tag_names.size());
  if (number < 0 || number >= count) {
    fail_record(fmt::format("\"{}\" holds {}, but only {} tags have names (0 to {})", key, number,
                            count, count - 1));
  }
  return options.tag_names[static_cast<std::size_t>(number)];
}

constexpr std::size_t kMostKeysShown = 10;

}  // namespace

std::string keys_of(const Node& record) {
  std::string keys;
  std::size_t shown = 0;
  for (const auto& [key, value] : record.as_object()) {
    if (shown++ == kMostKeysShown) break;
    keys += (keys.empty() ? "; its keys are \"" : "\", \"") + key;
  }
  return keys.empty() ? "; it has no keys" : keys + "\"";
}

void fail_record(const std::string& message) {
  throw Error(ErrorKind::data, message);
}

const Node* first_of(const Node& record, std::initializer_list<const char*> keys) {
  if (!record.is_object()) return nullptr;
  for (const char* key : keys) {
    const Node* found = record.as_object().find(key);
    if (found != nullptr && !found->is_null()) return found;
  }
  return nullptr;
}

const std::string& text_in(const Node& value, const char* what) {
  if (!value.is_string()) fail_record(std::string(what) + " is not text");
  return value.as_string();
}

std::string name_in(const Node& value, const char* what) {
  return value.is_integer() ? to_json(value) : text_in(value, what);
}

RecordSpan span_in(const Node& value) {
  if (value.is_list()) {
    const List& parts = value.as_list();
    if (parts.size() < 3) fail_record("an entity is not [start, end, label]");
    return {offset_in(parts[0]), offset_in(parts[1]), text_in(parts[2], "the label of an entity")};
  }
  if (!value.is_object()) fail_record("an entity is neither a list nor an object");
  const Node* start = first_of(value, {"start_char", "start_offset", "start"});
  const Node* end = first_of(value, {"end_char", "end_offset", "end"});
  const Node* label = first_of(value, {"label"});
  for (const auto& [part, name] :
       {std::pair(start, "start"), std::pair(end, "end"), std::pair(label, "label")}) {
    if (part == nullptr)
      fail_record(fmt::format("an entity without \"{}\"{}", name, keys_of(value)));
  }
  return {offset_in(*start),
          offset_in(*end),
          text_in(*label, "the label of an entity"),
          optional_text(value, "kb_id"),
          optional_text(value, "id"),
          optional_text(value, "text")};
}

void add_spans(const Node& list, std::vector<RecordSpan>& spans) {
  for (const Node& value : list.as_list()) {
    spans.push_back(span_in(value));
    if (spans.back().label.empty()) fail_record("the label of an entity is empty");
  }
}

bool may_hold_spans(const Node& value) {
  if (!value.is_list()) return false;
  const List& list = value.as_list();
  return list.empty() || list.front().is_list() || list.front().is_object();
}

void add_groups(const Node& groups, AnnotatedRecord& into) {
  for (const auto& [key, list] : groups.as_object()) {
    if (!may_hold_spans(list)) {
      fail_record("the span group \"" + key +
                  "\" is no list of spans; [[0, 4, \"ORG\"]] is expected");
    }
    std::vector<RecordSpan>& spans =
        into.groups.emplace_back(key, std::vector<RecordSpan>()).second;
    for (const Node& value : list.as_list()) spans.push_back(span_in(value));
  }
}

bool holds_texts(const Node& value) {
  return value.is_list() && !value.as_list().empty() && value.as_list().front().is_string();
}

std::vector<std::string> texts_in(const Node& list, const char* what) {
  std::vector<std::string> texts;
  for (const Node& value : list.as_list()) texts.push_back(text_in(value, what));
  return texts;
}

void read_text_and_words(const Node& record, AnnotatedRecord& into) {
  if (const Node* text = first_of(record, {"text"})) into.text = text_in(*text, "\"text\"");
  const Node* words = first_of(record, {"words", "tokens"});
  if (words == nullptr && !into.text) fail_record("a line with neither \"text\" nor \"words\"");
  if (words == nullptr) return;
  read_words(*words, into);
  if (const Node* spaces = first_of(record, {"spaces"})) {
    if (!spaces->is_list()) fail_record("\"spaces\" is not a list");
    into.spaces.clear();
    for (const Node& value : spaces->as_list()) into.spaces.push_back(boolean_in(value));
  }
  if (!into.spaces.empty() && into.spaces.size() != into.words->size()) {
    fail_record(fmt::format("{} words but {} values for the spaces behind them", into.words->size(),
                            into.spaces.size()));
  }
}

void add_labels(const Node& record, AnnotatedRecord& into) {
  for (const char* key : {"label", "labels"}) {
    const Node* labels = first_of(record, {key});
    if (labels == nullptr) continue;
    if (labels->is_string()) {
      into.classes = {labels->as_string()};
    } else if (holds_texts(*labels)) {
      into.classes = texts_in(*labels, "a label");
    } else if (may_hold_spans(*labels)) {
      if (labels->as_list().empty() && !into.is_annotated()) {
        into.classes.emplace();
        into.is_undecided = true;
      }
      if (!into.spans) into.spans.emplace();
      add_spans(*labels, *into.spans);
    } else if (!into.is_annotated()) {
      fail_record(
          fmt::format("\"{}\" is {}; entities [[0, 4, \"ORG\"]] or names of classes "
                      "[\"sports\"] are expected",
                      key, kind_of(*labels)));
    }
  }
}

std::vector<std::string> tags_in(const Node& list, const char* key, const RecordOptions& options) {
  if (!list.is_list()) fail_record(fmt::format("\"{}\" is not a list", key));
  std::vector<std::string> tags;
  for (const Node& tag : list.as_list()) {
    const auto* number = std::get_if<std::int64_t>(&tag.value());
    tags.push_back(number != nullptr ? tag_of_number(*number, key, options)
                                     : text_in(tag, "a tag"));
  }
  return tags;
}

void add_cats(const Node& cats, AnnotatedRecord& into) {
  if (!cats.is_object()) fail_record("\"cats\" is not an object");
  for (const auto& [label, value] : cats.as_object()) {
    if (value.is_bool()) {
      into.cats.emplace_back(label, value.as_bool());
    } else if (const auto* number = std::get_if<std::int64_t>(&value.value())) {
      into.cats.emplace_back(label, *number);
    } else if (value.is_float() && std::isfinite(value.as_float())) {
      into.cats.emplace_back(label, value.as_float());
    } else if (value.is_float()) {
      fail_record("the category \"" + label + "\" has a value that is not finite");
    } else {
      fail_record("the category \"" + label + "\" has a value that is no number");
    }
  }
}

}  // namespace weft
