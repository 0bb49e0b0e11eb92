#include "framework/text/jsonl_reader.h"

#include <initializer_list>
#include <vector>

#include <nlohmann/json.hpp>

#include "framework/io/file_limits.h"
#include "framework/io/json_bounds.h"
#include "framework/text/biluo.h"
#include "framework/text/bounded_doc.h"
#include "framework/text/spacing.h"
#include "registry/base/error.h"

namespace weft {
namespace {

using nlohmann::json;

// What is wrong with a line; the reader adds the place.
[[noreturn]] void fail(const std::string& message) {
  throw Error(ErrorKind::data, message);
}

const json* first_of(const json& record, std::initializer_list<const char*> keys) {
  for (const char* key : keys) {
    const auto found = record.find(key);
    if (found != record.end() && !found->is_null()) return &*found;
  }
  return nullptr;
}

const std::string& text_in(const json& value, const char* what) {
  if (!value.is_string()) fail(std::string(what) + " is not text");
  return value.get_ref<const std::string&>();
}

std::size_t offset_in(const json& value) {
  if (!value.is_number_unsigned()) fail("an offset of an entity is not a number from 0 on");
  return value.get<std::size_t>();
}

std::string optional_text(const json& record, const char* key) {
  const json* value = first_of(record, {key});
  return value != nullptr && value->is_string() ? value->get<std::string>() : std::string();
}

CharEnt ent_in(const json& value) {
  if (value.is_array()) {
    if (value.size() < 3) fail("an entity is not [start, end, label]");
    return {offset_in(value[0]), offset_in(value[1]), text_in(value[2], "the label of an entity"),
            "", ""};
  }
  if (!value.is_object()) fail("an entity is neither a list nor an object");
  const json* start = first_of(value, {"start_char", "start_offset", "start"});
  const json* end = first_of(value, {"end_char", "end_offset", "end"});
  const json* label = first_of(value, {"label"});
  if (start == nullptr || end == nullptr || label == nullptr) {
    fail("an entity without start, end or label");
  }
  return {offset_in(*start), offset_in(*end), text_in(*label, "the label of an entity"),
          optional_text(value, "kb_id"), optional_text(value, "id")};
}

// Nothing where the line says nothing of entities.
std::optional<std::vector<CharEnt>> ents_in(const json& record) {
  std::optional<std::vector<CharEnt>> ents;
  for (const char* key : {"entities", "ents", "spans", "label", "labels"}) {
    const json* list = first_of(record, {key});
    if (list == nullptr || !list->is_array()) continue;
    if (!list->empty() && !list->front().is_array() && !list->front().is_object()) continue;
    if (!ents) ents.emplace();
    for (const json& value : *list) ents->push_back(ent_in(value));
  }
  return ents;
}

struct Words {
  std::vector<std::string> words;
  std::vector<bool> spaces;  // empty = unknown
};

bool boolean_in(const json& value) {
  if (!value.is_boolean()) fail("a value of \"spaces\" is not true or false");
  return value.get<bool>();
}

Words words_in(const json& record, const json& list) {
  if (!list.is_array()) fail("the words are not a list");
  Words result;
  for (const json& value : list) {
    if (value.is_string()) {
      result.words.push_back(value.get<std::string>());
      continue;
    }
    if (!value.is_object()) fail("a word is not text");
    result.words.push_back(text_in(value.value("text", json()), "a word"));
    const auto space = value.find("ws");
    if (space != value.end()) result.spaces.push_back(boolean_in(*space));
  }
  if (const json* spaces = first_of(record, {"spaces"})) {
    if (!spaces->is_array()) fail("\"spaces\" is not a list");
    result.spaces.clear();
    for (const json& value : *spaces) result.spaces.push_back(boolean_in(value));
  }
  if (!result.spaces.empty() && result.spaces.size() != result.words.size()) {
    fail(std::to_string(result.words.size()) + " words but " +
         std::to_string(result.spaces.size()) + " values for the spaces behind them");
  }
  return result;
}

Doc doc_in(const json& record, const std::shared_ptr<const Vocab>& vocab, const MakeDoc& make_doc) {
  const json* text = first_of(record, {"text"});
  const json* words = first_of(record, {"words", "tokens"});
  if (words == nullptr && text == nullptr) fail("a line with neither \"text\" nor \"words\"");
  if (words == nullptr) return make_doc(text_in(*text, "\"text\""));
  Words tokens = words_in(record, *words);
  if (text != nullptr && tokens.spaces.empty()) {
    tokens.spaces = spaces_of(text_in(*text, "\"text\""), tokens.words);
  }
  Doc doc = doc_of_words(vocab, tokens.words, tokens.spaces);
  if (text != nullptr && doc.text() != text_in(*text, "\"text\"")) {
    fail("the words do not spell the text");
  }
  return doc;
}

void set_ents_by_token(Doc& doc, const std::vector<CharEnt>& ents) {
  std::vector<Span> spans;
  StringStore& strings = doc.vocab()->strings();
  for (const CharEnt& ent : ents) {
    if (ent.start >= ent.end || ent.end > static_cast<std::size_t>(doc.size())) {
      fail("an entity from token " + std::to_string(ent.start) + " to " + std::to_string(ent.end) +
           " in a document of " + std::to_string(doc.size()));
    }
    spans.push_back({static_cast<int>(ent.start), static_cast<int>(ent.end), strings.add(ent.label),
                     strings.add(ent.kb_id), strings.add(ent.id)});
  }
  doc.set_ents(spans);
}

void set_tags(Doc& doc, const json& tags) {
  if (!tags.is_array()) fail("\"ner_tags\" is not a list");
  std::vector<std::string> texts;
  for (const json& tag : tags) texts.push_back(text_in(tag, "a tag"));
  set_ents_from_tags(doc, texts);
}

void set_cats(Doc& doc, const json& cats) {
  if (!cats.is_object()) fail("\"cats\" is not an object");
  std::vector<TextCategory> found;
  for (const auto& [label, value] : cats.items()) {
    if (value.is_boolean()) {
      found.push_back({label, value.get<bool>()});
    } else if (value.is_number_integer()) {
      found.push_back({label, value.get<std::int64_t>()});
    } else if (value.is_number()) {
      found.push_back({label, value.get<double>()});
    } else {
      fail("the category \"" + label + "\" has a value that is no number");
    }
  }
  doc.set_cats(std::move(found));
}

Doc annotated_doc(const json& record, const std::shared_ptr<const Vocab>& vocab,
                  const MakeDoc& make_doc, const JsonlOptions& options, const DocPlace& place) {
  if (!record.is_object()) fail("a line that is no JSON object");
  Doc doc = doc_in(record, vocab, make_doc);
  if (const json* tags = first_of(record, {"ner_tags"})) set_tags(doc, *tags);
  if (const auto ents = ents_in(record)) {
    if (first_of(record, {"text"}) != nullptr) {
      set_ents_from_chars(doc, *ents, options.on_misaligned, place, options.tell);
    } else {
      set_ents_by_token(doc, *ents);
    }
  }
  if (const json* cats = first_of(record, {"cats"})) set_cats(doc, *cats);
  return doc;
}

}  // namespace

JsonlReader::JsonlReader(std::string path, std::shared_ptr<const Vocab> vocab, MakeDoc make_doc,
                         JsonlOptions options)
    : path_(std::move(path)),
      vocab_(std::move(vocab)),
      make_doc_(std::move(make_doc)),
      options_(std::move(options)),
      file_(path_, kLongestTextLine),
      budget_(path_) {}

Doc JsonlReader::read_line() {
  if (const char* beyond = beyond_json_bounds(buffer_)) fail(beyond);
  const MakeDoc make_doc = [this](std::string_view text) {
    return bounded_doc(budget_, make_doc_, text);
  };
  budget_.release_to(0);
  Doc doc =
      annotated_doc(json::parse(buffer_), vocab_, make_doc, options_, {path_, line_, documents_++});
  budget_.release_to(0);
  budget_.charge(ReadBudget::kToken * doc.tokens()->size(), "the tokens of a document");
  return doc;
}

std::optional<Doc> JsonlReader::next() {
  while (file_.next(buffer_)) {
    ++line_;
    if (line_ == 1 && buffer_.starts_with("\xEF\xBB\xBF")) buffer_.erase(0, 3);
    if (buffer_.find_first_not_of(" \t\r") == buffer_.npos) continue;
    try {
      return read_line();
    } catch (const json::exception& error) {
      throw Error(ErrorKind::data, std::string("no valid JSON: ") + error.what(),
                  Origin::file(std::make_shared<const std::string>(path_), line_, 0));
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::data) throw;
      throw Error(ErrorKind::data, error.message(),
                  Origin::file(std::make_shared<const std::string>(path_), line_, 0));
    }
  }
  return std::nullopt;
}

}  // namespace weft
