#include "framework/text/spacy_json_paragraph.h"

#include <algorithm>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include <nlohmann/json.hpp>

#include "framework/text/biluo.h"
#include "framework/text/morph_features.h"
#include "framework/text/parse_tree.h"
#include "framework/text/printable.h"
#include "framework/text/spacing.h"
#include "framework/unicode/unicode.h"
#include "registry/base/error.h"

namespace weft {
namespace {

using nlohmann::json;

[[noreturn]] void fail(const std::string& message) {
  throw Error(ErrorKind::data, message);
}

const json& list_at(const json& object, const char* key) {
  if (!object.is_object())
    fail(std::string("no object where one with \"") + key + "\" is expected");
  const auto found = object.find(key);
  if (found == object.end() || !found->is_array()) fail(std::string("no list \"") + key + "\"");
  return *found;
}

// The text under a key; nothing where it is missing or null.
std::optional<std::string> text_at(const json& object, const char* key) {
  const auto found = object.find(key);
  if (found == object.end() || found->is_null()) return std::nullopt;
  if (!found->is_string()) fail(std::string("\"") + key + "\" is not text");
  return found->get<std::string>();
}

// An entity that a tag of unknown meaning cuts off is none, and the tag's token lies outside of
// entities: so does spaCy read it.
void leave_out_cut_entities(std::vector<std::string>& tags) {
  std::optional<std::size_t> open;
  for (std::size_t i = 0; i < tags.size(); ++i) {
    const std::string_view tag = tags[i];
    if (tag == "-" && open) {
      std::fill(tags.begin() + static_cast<std::ptrdiff_t>(*open),
                tags.begin() + static_cast<std::ptrdiff_t>(i) + 1, "O");
    }
    if (tag.starts_with("B-")) {
      open = i;
    } else if (!tag.starts_with("I-")) {
      open.reset();
    }
  }
}

// To the head. A number that does not fit leads out of any document.
std::int32_t distance(const json& head) {
  if (!head.is_number_integer()) fail("a \"head\" that is no whole number");
  const bool is_large =
      head.is_number_unsigned() && !std::in_range<std::int32_t>(head.get<std::uint64_t>());
  const auto distance = is_large ? std::int64_t{-1} : head.get<std::int64_t>();
  if (is_large || !std::in_range<std::int32_t>(distance)) {
    fail("a \"head\" outside of the document: " + head.dump());
  }
  return static_cast<std::int32_t>(distance);
}

template <typename Strings>
void set_texts(Doc& doc, Attr attr, const std::vector<std::string>& texts, Strings& strings) {
  std::vector<StringId> ids;
  StringId any = 0;
  for (const std::string& text : texts) any |= ids.emplace_back(strings.add(text));
  if (any != 0) doc.set_column(attr, std::move(ids));
}

}  // namespace

SpacyJsonParagraph::SpacyJsonParagraph(const json& paragraph) : paragraph_(paragraph) {
  for (const json& sentence : list_at(paragraph, "sentences")) {
    bool first = true;
    for (const json& token : list_at(sentence, "tokens")) {
      take(token);
      sent_starts_.push_back(first ? 1 : -1);
      first = false;
    }
  }
}

Doc SpacyJsonParagraph::doc(const std::shared_ptr<const Vocab>& vocab) {
  Doc doc = doc_of_words(vocab, words_, spaces());
  auto strings = std::make_shared<StringTable>();
  set_texts(doc, Attr::tag, tags_, vocab->strings());
  set_texts(doc, Attr::pos, pos_, vocab->strings());
  set_texts(doc, Attr::dep, deps_, vocab->strings());
  set_texts(doc, Attr::lemma, lemmas_, *strings);
  // Beside tokens with features, none means that there are none.
  if (any_morph_) set_texts(doc, Attr::morph, morphs_, *strings);
  if (strings->size() > 0) doc.set_strings(strings);
  set_sents(doc);
  leave_out_cut_entities(ner_);
  set_ents_from_tags(doc, ner_);
  set_cats(doc);
  return doc;
}

void SpacyJsonParagraph::take(const json& token) {
  if (!token.is_object()) fail("a token that is no object");
  const auto word = text_at(token, "orth");
  if (!word) fail("a token without \"orth\"");
  words_.push_back(*word);
  const auto space = text_at(token, "space");
  any_space_ = any_space_ || space.has_value();
  spaces_.push_back(space && !space->empty());
  tags_.push_back(text_at(token, "tag").value_or(""));
  pos_.push_back(text_at(token, "pos").value_or(""));
  lemmas_.push_back(text_at(token, "lemma").value_or(""));
  const auto morph = text_at(token, "morph");
  any_morph_ = any_morph_ || (morph && !morph->empty());
  morphs_.push_back(normalised_features(morph.value_or("")));
  deps_.push_back(text_at(token, "dep").value_or(""));
  if (lower(deps_.back()) == "root") deps_.back() = "ROOT";
  ner_.push_back(text_at(token, "ner").value_or("-"));
  const auto head = token.find("head");
  const bool has_head = head != token.end() && !head->is_null();
  heads_.push_back(has_head ? distance(*head) : 0);
  any_head_ = any_head_ || has_head;
}

std::vector<bool> SpacyJsonParagraph::spaces() const {
  if (any_space_) return spaces_;
  const auto raw = text_at(paragraph_, "raw");
  return raw ? spaces_of(*raw, words_) : std::vector<bool>();
}

void SpacyJsonParagraph::set_sents(Doc& doc) {
  if (any_head_) {
    doc.set_heads(heads_);
    if (const auto deps = doc.column(Attr::dep); !deps.empty()) {
      doc.set_sent_starts(sent_starts_of_heads(heads_, deps));
    }
  } else {
    doc.set_sent_starts(sent_starts_);
  }
}

void SpacyJsonParagraph::set_cats(Doc& doc) const {
  const auto cats = paragraph_.find("cats");
  if (cats == paragraph_.end() || cats->is_null() || (cats->is_object() && cats->empty())) return;
  if (!cats->is_array()) fail("\"cats\" is no list");
  std::vector<TextCategory> found;
  std::set<std::string> labels;
  for (const json& cat : *cats) {
    const auto label = cat.is_object() ? text_at(cat, "label") : std::nullopt;
    const json value = label ? cat.value("value", json()) : json();
    if (!value.is_number() && !value.is_boolean()) fail("a category without label or value");
    if (!labels.insert(*label).second) {
      fail("the category \"" + printable_brief(*label) + "\" is there twice");
    }
    found.push_back(
        {*label, value.is_boolean() ? (value.get<bool>() ? 1.0 : 0.0) : value.get<double>()});
  }
  doc.set_cats(std::move(found));
}

}  // namespace weft
