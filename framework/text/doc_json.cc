#include "framework/text/doc_json.h"

#include <algorithm>
#include <optional>
#include <string_view>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "framework/text/biluo.h"
#include "framework/text/ent_confidence.h"
#include "framework/text/morph_features.h"
#include "framework/text/printable.h"
#include "registry/base/error.h"
#include "registry/value/json.h"

namespace weft {
namespace {

// A line is held whole, and repeats labels, lemmas and the like for each token or span that has
// them: a small pipeline with a long label would fill the memory.
constexpr std::size_t kMostBytes = std::size_t{256} << 20;
constexpr std::size_t kMostBytesPerToken = 256;

class Line {
 public:
  explicit Line(const Doc& doc)
      : doc_(doc), most_(kMostBytes + kMostBytesPerToken * static_cast<std::size_t>(doc.size())) {}

  void text() { field("text") += to_json_string(doc_.text(), JsonText::utf8); }

  void tokens() {
    list("tokens", doc_.size(),
         [&](int i) { return to_json_string(doc_.word(i), JsonText::utf8); });
  }

  void spaces() {
    list("spaces", doc_.size(), [&](int i) { return doc_.space(i) ? "true" : "false"; });
  }

  void tags() {
    const std::vector<std::string> tags = biluo_strings(doc_);
    list("ner_tags", doc_.size(),
         [&](int i) { return to_json_string(tags[static_cast<std::size_t>(i)], JsonText::utf8); });
  }

  // A column of texts, "" where a token has none; nothing where no token has one.
  void texts(std::string_view name, Attr attr) {
    if (doc_.column(attr).empty()) return;
    list(name, doc_.size(), [&](int i) { return text_of(doc_.value(attr, i)); });
  }

  // Null where nothing is known of a token, "" where it has no features.
  void morphs() {
    if (doc_.column(Attr::morph).empty()) return;
    list("morphs", doc_.size(), [&](int i) {
      return has_morph(doc_, i) ? to_json_string(morph_text(doc_, i), JsonText::utf8) : "null";
    });
  }

  // Numbers of tokens; nothing where the document has no parse.
  void heads() {
    const auto heads = doc_.heads();
    if (heads.empty()) return;
    list("heads", doc_.size(),
         [&](int i) { return std::to_string(i + heads[static_cast<std::size_t>(i)]); });
  }

  // Nothing where no token behind the first says whether it starts a sentence.
  void sents() {
    if (doc_.size() < 2 || !doc_.has_sents()) return;
    const auto sents = doc_.sents();
    list("sents", static_cast<int>(sents.size()), [&](int i) {
      const auto [start, end] = sents[static_cast<std::size_t>(i)];
      return fmt::format("{{\"start\": {}, \"end\": {}}}", start, end);
    });
  }

  void ents(bool with_chars, bool with_ids) {
    const std::vector<Span> ents = doc_.ents();
    list("ents", static_cast<int>(ents.size()),
         [&](int i) { return ent(ents[static_cast<std::size_t>(i)], with_chars, with_ids); });
  }

  void cats() {
    std::string& out = field("cats");
    out += '{';
    for (const TextCategory& cat : doc_.cats()) {
      require_room();
      if (out.back() != '{') out += ", ";
      out += to_json_string(cat.label, JsonText::utf8) + ": ";
      out += std::visit([](auto value) { return to_standard_json(Node(value)); }, cat.value);
    }
    out += '}';
  }

  // Groups of spans by their keys; nothing where there is none. With characters as spaCy has them,
  // else with tokens.
  void groups(bool with_chars) {
    if (doc_.span_groups().empty()) return;
    std::string& out = field("spans");
    out += '{';
    for (const auto& [key, group] : doc_.span_groups()) {
      if (out.back() != '{') out += ", ";
      out += to_json_string(key, JsonText::utf8) + ": [";
      for (const Span& span : group.spans) {
        require_room();
        if (out.back() != '[') out += ", ";
        const auto [start, end] = with_chars
                                      ? doc_.span_chars(span.start, span.end)
                                      : std::pair<std::size_t, std::size_t>(span.start, span.end);
        out += fmt::format("{{\"start\": {}, \"end\": {}, \"label\": {}, \"kb_id\": {}}}", start,
                           end, text_of(span.label), text_of(span.kb_id));
      }
      out += ']';
    }
    out += '}';
  }

  std::string finish() {
    require_room();
    return std::move(out_) + "}";
  }

 private:
  std::string& field(std::string_view name) {
    if (out_.size() > 1) out_ += ", ";
    return out_ += fmt::format("\"{}\": ", name);
  }

  void require_room() const {
    if (out_.size() <= most_) return;
    throw Error(ErrorKind::data,
                fmt::format("a line of JSON of more than {} bytes for a document of {} tokens: its "
                            "labels and other annotation are too long; in the document \"{}\"",
                            most_, doc_.size(), printable_brief(doc_.text())));
  }

  template <class Item>
  void list(std::string_view name, int count, const Item& item) {
    std::string& out = field(name);
    out += '[';
    for (int i = 0; i < count; ++i) {
      require_room();
      if (i > 0) out += ", ";
      out += item(i);
    }
    out += ']';
  }

  std::string text_of(StringId id) const { return to_json_string(doc_.string(id), JsonText::utf8); }

  std::string ent(const Span& span, bool with_chars, bool with_ids) const {
    std::string out = fmt::format("{{\"start\": {}, \"end\": {}", span.start, span.end);
    if (with_chars) {
      const auto [start, end] = doc_.span_chars(span.start, span.end);
      out += fmt::format(", \"start_char\": {}, \"end_char\": {}", start, end);
    }
    out += ", \"label\": " + text_of(span.label);
    const auto confidence = with_ids ? std::nullopt : ent_confidence(doc_, span);
    if (confidence) out += ", \"score\": " + to_standard_json(Node(*confidence));
    if (with_ids && span.kb_id != 0) out += ", \"kb_id\": " + text_of(span.kb_id);
    if (with_ids && span.id != 0) out += ", \"id\": " + text_of(span.id);
    return out + "}";
  }

  const Doc& doc_;
  std::size_t most_;
  std::string out_ = "{";
};

std::string prediction(const Doc& doc) {
  Line line(doc);
  line.text();
  line.tokens();
  line.spaces();
  line.texts("tags", Attr::tag);
  line.texts("pos", Attr::pos);
  line.morphs();
  line.texts("lemmas", Attr::lemma);
  line.heads();
  line.texts("deps", Attr::dep);
  line.sents();
  line.ents(true, false);
  line.cats();
  line.groups(true);
  return line.finish();
}

std::string corpus(const Doc& doc) {
  Line line(doc);
  const bool spaced = !doc.has_unknown_spaces();
  const auto iobs = doc.ent_iobs();
  const bool partly =
      std::any_of(iobs.begin(), iobs.end(), [](Iob iob) { return iob == Iob::missing; });
  if (spaced) line.text();
  line.tokens();
  if (spaced) line.spaces();
  if (doc.has_ents()) {
    if (partly) {
      line.tags();
    } else {
      line.ents(spaced, true);
    }
  }
  line.cats();
  line.groups(spaced);
  return line.finish();
}

}  // namespace

std::string to_json_line(const Doc& doc, DocJson form) {
  return form == DocJson::prediction ? prediction(doc) : corpus(doc);
}

}  // namespace weft
