#include "framework/text/doc_json.h"

#include <algorithm>
#include <string_view>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "framework/text/biluo.h"
#include "registry/value/json.h"

namespace weft {
namespace {

// Control characters beyond ASCII's first 32, which JSON allows as they are: DEL and U+0080-U+009F.
std::string without_controls(std::string line) {
  const auto is_control = [&](std::size_t i) {
    const auto byte = static_cast<unsigned char>(line[i]);
    if (byte == 0x7F) return true;
    if (byte != 0xC2 || i + 1 == line.size()) return false;
    return static_cast<unsigned char>(line[i + 1]) < 0xA0;
  };
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (!is_control(i)) continue;
    const bool two = line[i] != '\x7F';
    const unsigned code = two ? static_cast<unsigned char>(line[i + 1]) : 0x7F;
    line.replace(i, two ? 2 : 1, fmt::format("\\u{:04x}", code));
  }
  return line;
}

class Line {
 public:
  explicit Line(const Doc& doc) : doc_(doc) {}

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

  void ents(bool with_chars, bool with_ids) {
    const std::vector<Span> ents = doc_.ents();
    list("ents", static_cast<int>(ents.size()),
         [&](int i) { return ent(ents[static_cast<std::size_t>(i)], with_chars, with_ids); });
  }

  void cats() {
    std::string& out = field("cats");
    out += '{';
    for (const TextCategory& cat : doc_.cats()) {
      if (out.back() != '{') out += ", ";
      out += to_json_string(cat.label, JsonText::utf8) + ": ";
      out += std::visit([](auto value) { return to_standard_json(Node(value)); }, cat.value);
    }
    out += '}';
  }

  std::string finish() { return without_controls(std::move(out_) + "}"); }

 private:
  std::string& field(std::string_view name) {
    if (out_.size() > 1) out_ += ", ";
    return out_ += fmt::format("\"{}\": ", name);
  }

  template <class Item>
  void list(std::string_view name, int count, const Item& item) {
    std::string& out = field(name);
    out += '[';
    for (int i = 0; i < count; ++i) {
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
    if (with_ids && span.kb_id != 0) out += ", \"kb_id\": " + text_of(span.kb_id);
    if (with_ids && span.id != 0) out += ", \"id\": " + text_of(span.id);
    return out + "}";
  }

  const Doc& doc_;
  std::string out_ = "{";
};

std::string prediction(const Doc& doc) {
  Line line(doc);
  line.text();
  line.tokens();
  line.spaces();
  line.ents(true, false);
  line.cats();
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
  return line.finish();
}

}  // namespace

std::string to_json_line(const Doc& doc, DocJson form) {
  return form == DocJson::prediction ? prediction(doc) : corpus(doc);
}

}  // namespace weft
