#include "framework/text/spacy_json.h"

#include <algorithm>
#include <cstddef>
#include <istream>
#include <optional>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "framework/io/file_limits.h"
#include "framework/io/input_buffer.h"
#include "framework/io/json_fault.h"
#include "framework/io/read_budget.h"
#include "framework/io/text_beginning.h"
#include "framework/text/biluo.h"
#include "framework/text/morph_features.h"
#include "framework/text/parse_tree.h"
#include "framework/text/printable.h"
#include "framework/text/spacing.h"
#include "framework/unicode/unicode.h"
#include "registry/base/error.h"
#include "registry/value/json_limits.h"

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

// Counts the bytes of the value that is being read: the library's parser holds all of it.
class ValueBuffer final : public InputBuffer {
 public:
  explicit ValueBuffer(const std::string& file) : InputBuffer(file), file_(file) {}
  void begin_value() { bytes_ = 0; }

 protected:
  int_type underflow() override {
    const int_type first = InputBuffer::underflow();
    const std::string_view bytes(gptr(), static_cast<std::size_t>(egptr() - gptr()));
    if (std::exchange(is_beginning_, false)) refuse_wide(bytes, file_);
    bytes_ += bytes.size();
    if (bytes_ > kLongestTextLine) {
      fail(fmt::format("a text of more than {} MiB", kLongestTextLine >> 20));
    }
    return first;
  }

 private:
  std::string file_;
  bool is_beginning_ = true;
  std::size_t bytes_ = 0;
};

// The tokens of one paragraph as columns.
class Paragraph {
 public:
  explicit Paragraph(const json& paragraph) : paragraph_(paragraph) {
    for (const json& sentence : list_at(paragraph, "sentences")) {
      bool first = true;
      for (const json& token : list_at(sentence, "tokens")) {
        take(token);
        sent_starts_.push_back(first ? 1 : -1);
        first = false;
      }
    }
  }

  std::size_t size() const { return words_.size(); }

  Doc doc(const std::shared_ptr<const Vocab>& vocab) {
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

 private:
  void take(const json& token) {
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

  // To the head. A number that does not fit leads out of any document.
  static std::int32_t distance(const json& head) {
    if (!head.is_number_integer()) fail("a \"head\" that is no whole number");
    const bool is_large =
        head.is_number_unsigned() && !std::in_range<std::int32_t>(head.get<std::uint64_t>());
    const auto distance = is_large ? std::int64_t{-1} : head.get<std::int64_t>();
    if (is_large || !std::in_range<std::int32_t>(distance)) {
      fail("a \"head\" outside of the document: " + head.dump());
    }
    return static_cast<std::int32_t>(distance);
  }

  std::vector<bool> spaces() const {
    if (any_space_) return spaces_;
    const auto raw = text_at(paragraph_, "raw");
    return raw ? spaces_of(*raw, words_) : std::vector<bool>();
  }

  template <typename Strings>
  static void set_texts(Doc& doc, Attr attr, const std::vector<std::string>& texts,
                        Strings& strings) {
    std::vector<StringId> ids;
    StringId any = 0;
    for (const std::string& text : texts) any |= ids.emplace_back(strings.add(text));
    if (any != 0) doc.set_column(attr, std::move(ids));
  }

  void set_sents(Doc& doc) {
    if (any_head_) {
      doc.set_heads(heads_);
      if (const auto deps = doc.column(Attr::dep); !deps.empty()) {
        doc.set_sent_starts(sent_starts_of_heads(heads_, deps));
      }
    } else {
      doc.set_sent_starts(sent_starts_);
    }
  }

  void set_cats(Doc& doc) const {
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

  const json& paragraph_;
  std::vector<std::string> words_, tags_, pos_, lemmas_, morphs_, deps_, ner_;
  std::vector<bool> spaces_;
  std::vector<std::int32_t> heads_;
  std::vector<std::int8_t> sent_starts_;
  bool any_space_ = false;
  bool any_head_ = false, any_morph_ = false;
};

// Takes the parser's events. Only one paragraph at a time becomes a tree; the values around the
// paragraphs are not kept. (The library's own filter looks at all of a list whenever one of its
// objects ends.) Returning false stops the parser.
class Documents {
 public:
  Documents(const std::string& path, std::shared_ptr<const Vocab> vocab, ValueBuffer& bytes,
            const std::function<void(Doc)>& take)
      : vocab_(std::move(vocab)), bytes_(bytes), take_(take), budget_(path) {}

  bool null() { return value(nullptr); }
  bool boolean(bool found) { return value(found); }
  bool number_integer(std::int64_t found) { return value(found); }
  bool number_unsigned(std::uint64_t found) { return value(found); }
  bool number_float(double found, const std::string&) { return value(found); }
  bool string(std::string& found) {
    if (is_building()) budget_.charge(found.size(), kValues);
    return value(std::move(found));
  }
  bool binary(json::binary_t&) { return false; }

  bool key(std::string& found) {
    bytes_.begin_value();
    if (!open_.empty()) {
      budget_.charge(found.size(), kValues);
      key_ = std::move(found);
    } else if (place_ == Place::document && ignored_ == 0) {
      at_paragraphs_ = found == "paragraphs";
    }
    return true;
  }

  bool start_object(std::size_t) {
    bytes_.begin_value();
    if (is_building()) return open(json::object());
    if (ignored_ > 0 || (place_ != Place::outside && place_ != Place::list)) {
      ++ignored_;
      return true;
    }
    in_list_ = place_ == Place::list;
    place_ = Place::document;
    has_paragraphs_ = at_paragraphs_ = false;
    return true;
  }

  bool end_object() {
    if (!open_.empty()) return close();
    if (ignored_ > 0) {
      --ignored_;
      return true;
    }
    if (!has_paragraphs_) fail("no list \"paragraphs\"");
    place_ = in_list_ ? Place::list : Place::end;
    ++documents_;
    return true;
  }

  bool start_array(std::size_t) {
    bytes_.begin_value();
    if (is_building()) return open(json::array());
    if (ignored_ == 0 && place_ == Place::outside) {
      place_ = Place::list;
    } else if (ignored_ == 0 && place_ == Place::document && at_paragraphs_) {
      if (has_paragraphs_) fail("\"paragraphs\" is there twice");
      has_paragraphs_ = true;
      place_ = Place::paragraphs;
    } else {
      ++ignored_;
    }
    return true;
  }

  bool end_array() {
    if (!open_.empty()) return close();
    if (ignored_ > 0) {
      --ignored_;
    } else {
      place_ = place_ == Place::paragraphs ? Place::document : Place::end;
    }
    return true;
  }

  template <typename Exception>
  bool parse_error(std::size_t, const std::string&, const Exception& error) {
    error_ = json_fault(error.what(), false);
    return false;
  }

  std::size_t documents() const { return documents_; }
  // The parser's message for text that is no JSON.
  const std::string& error() const { return error_; }
  // Whether the file held a document or a list.
  bool ended() const { return place_ == Place::end; }

 private:
  enum class Place { outside, list, document, paragraphs, end };
  static constexpr std::size_t kDeepest = 512;
  static constexpr std::uint64_t kValueBytes = 64;  // beside its text
  static constexpr const char* kValues = "the values of a paragraph";

  bool is_building() const { return place_ == Place::paragraphs; }

  bool value(json found) {
    bytes_.begin_value();
    if (!is_building()) return true;
    json* const placed = place(std::move(found));
    if (open_.empty()) take_paragraph(*placed);
    return true;
  }

  json* place(json found) {
    if (++values_ > kMostJsonValues) {
      fail("a paragraph of more than " + std::to_string(kMostJsonValues) + " values");
    }
    budget_.charge(kValueBytes, kValues);
    if (open_.empty()) return &(paragraph_ = std::move(found));
    json& parent = *open_.back();
    if (parent.is_array()) {
      parent.push_back(std::move(found));
      return &parent.back();
    }
    const auto [at, is_new] = parent.emplace(key_, std::move(found));
    if (!is_new) fail("the key \"" + printable_brief(key_) + "\" is there twice");
    return &*at;
  }

  // Pointers to open parents stay valid: a parent only grows after its open child was closed.
  bool open(json found) {
    if (open_.size() == kDeepest) {
      fail("a paragraph nested more than " + std::to_string(kDeepest) + " deep");
    }
    json* const placed = place(std::move(found));
    open_.push_back(placed);
    return true;
  }

  bool close() {
    open_.pop_back();
    if (open_.empty()) take_paragraph(paragraph_);
    return true;
  }

  void take_paragraph(const json& paragraph) {
    Paragraph columns(paragraph);
    budget_.release_to(0);
    budget_.charge(ReadBudget::kToken * columns.size(), "the tokens of a paragraph");
    take_(columns.doc(vocab_));
    budget_.release_to(0);
    paragraph_ = nullptr;
    values_ = 0;
  }

  std::shared_ptr<const Vocab> vocab_;
  ValueBuffer& bytes_;
  const std::function<void(Doc)>& take_;
  ReadBudget budget_;
  Place place_ = Place::outside;
  std::size_t ignored_ = 0;      // open lists and objects that are nobody's business
  bool in_list_ = false;         // the document at hand
  bool at_paragraphs_ = false;   // the last key of the document
  bool has_paragraphs_ = false;  // the document at hand
  json paragraph_;
  std::vector<json*> open_;  // in the paragraph
  std::string key_;
  std::size_t values_ = 0;  // in the paragraph
  std::size_t documents_ = 0;
  std::string error_;
};

}  // namespace

void read_spacy_json(const std::string& path, std::shared_ptr<const Vocab> vocab,
                     const std::function<void(Doc)>& take) {
  ValueBuffer buffer(path);
  std::istream file(&buffer);
  const Origin place = Origin::file(std::make_shared<const std::string>(path), 0, 0);
  Documents documents(path, std::move(vocab), buffer, take);
  try {
    const bool sound = json::sax_parse(file, &documents);
    if (!sound) throw Error(ErrorKind::data, "no valid JSON: " + documents.error(), place);
    if (!documents.ended()) fail("no list of documents");
  } catch (const json::exception& error) {
    throw Error(ErrorKind::data, "no valid JSON: " + json_fault(error.what(), false), place);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::data || error.place().source != Origin::Source::none) throw;
    throw Error(ErrorKind::data,
                "document " + std::to_string(documents.documents() + 1) + ": " + error.message(),
                place);
  }
}

}  // namespace weft
