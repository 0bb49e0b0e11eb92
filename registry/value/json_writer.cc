#include <cmath>
#include <type_traits>
#include <variant>

#include <fmt/format.h>

#include "registry/base/float_text.h"
#include "registry/base/unicode.h"
#include "registry/value/json.h"

namespace weft {
namespace {

constexpr char32_t kReplacement = 0xFFFD;

void write_escaped(std::string& out, char32_t c) {
  if (c <= 0xFFFF) {
    fmt::format_to(std::back_inserter(out), "\\u{:04x}", static_cast<unsigned>(c));
    return;
  }
  const unsigned offset = static_cast<unsigned>(c) - 0x10000;
  fmt::format_to(std::back_inserter(out), "\\u{:04x}\\u{:04x}", 0xD800 + (offset >> 10),
                 0xDC00 + (offset & 0x3FF));
}

// The letter of a two-character escape, or 0.
char short_escape(char c) {
  switch (c) {
    case '"':
    case '\\':
      return c;
    case '\n':
      return 'n';
    case '\r':
      return 'r';
    case '\t':
      return 't';
    case '\b':
      return 'b';
    case '\f':
      return 'f';
    default:
      return 0;
  }
}

// Characters that move the cursor or turn the reading direction of what is shown around them: C1
// controls, line and paragraph separators, bidirectional marks, embeddings and isolates.
bool steers_terminal(char32_t point) {
  return (point >= 0x80 && point <= 0x9F) || point == 0x061C || point == 0x200E ||
         point == 0x200F || (point >= 0x2028 && point <= 0x202E) ||
         (point >= 0x2066 && point <= 0x2069);
}

class Writer {
 public:
  enum class Numbers { python, standard };
  Writer(JsonText kind, Numbers numbers) : kind_(kind), numbers_(numbers) {}

  std::string take() { return std::move(out_); }

  void write(const Node& node) {
    std::visit([&](const auto& value) { write_value(value); }, node.value());
  }

  void write_value(const std::string& text) {
    out_ += '"';
    for (std::string_view rest = text; !rest.empty();) rest.remove_prefix(write_start(rest));
    out_ += '"';
  }

 private:
  // Writes the first code point of `text` and gives its length.
  std::size_t write_start(std::string_view text) {
    const char c = text[0];
    if (const char letter = short_escape(c)) {
      out_ += '\\';
      out_ += letter;
      return 1;
    }
    if (c >= ' ' && c <= '\x7e') {
      out_ += c;
      return 1;
    }
    const CodePoint point = first_code_point(text);
    if (kind_ == JsonText::utf8 && point.length > 1 && !steers_terminal(point.value)) {
      out_ += text.substr(0, point.length);
    } else {
      write_escaped(out_, point.value > 0x10FFFF ? kReplacement : point.value);
    }
    return point.length;
  }

  void write_value(std::nullptr_t) { out_ += "null"; }
  void write_value(bool value) { out_ += value ? "true" : "false"; }
  void write_value(std::int64_t value) { out_ += fmt::format("{}", value); }
  void write_value(const BigInteger& value) { out_ += value.digits; }
  void write_value(double value) {
    if (numbers_ == Numbers::standard && !std::isfinite(value)) return write_value(nullptr);
    out_ += float_text(value);
  }

  void write_value(const List& list) {
    out_ += '[';
    for (std::size_t i = 0; i < list.size(); ++i) {
      if (i > 0) out_ += ", ";
      write(list[i]);
    }
    out_ += ']';
  }

  void write_value(const Object& object) {
    out_ += '{';
    for (const auto& [key, node] : object) {
      if (&key != &object.begin()->key) out_ += ", ";
      write_value(key);
      out_ += ": ";
      write(node);
    }
    out_ += '}';
  }

  JsonText kind_;
  Numbers numbers_;
  std::string out_;
};

}  // namespace

std::string to_json(const Node& node, JsonText kind) {
  Writer writer(kind, Writer::Numbers::python);
  writer.write(node);
  return writer.take();
}

std::string to_standard_json(const Node& node, JsonText kind) {
  Writer writer(kind, Writer::Numbers::standard);
  writer.write(node);
  return writer.take();
}

std::string to_json_string(std::string_view text, JsonText kind) {
  Writer writer(kind, Writer::Numbers::standard);
  writer.write_value(std::string(text));
  return writer.take();
}

}  // namespace weft
