#include "framework/text/spacy_json.h"

#include <cstddef>
#include <istream>
#include <memory>
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
#include "framework/text/printable.h"
#include "framework/text/spacy_json_paragraph.h"
#include "registry/base/error.h"
#include "registry/value/json_limits.h"

namespace weft {
namespace {

using nlohmann::json;

[[noreturn]] void fail(const std::string& message) {
  throw Error(ErrorKind::data, message);
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
    if (open_.size() == kDeepestJson) {
      fail("a paragraph nested more than " + std::to_string(kDeepestJson) + " deep");
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
    SpacyJsonParagraph columns(paragraph);
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
    if (!sound) fail("no valid JSON: " + documents.error());
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
