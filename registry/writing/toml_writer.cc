#include "registry/writing/toml_writer.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <variant>

#include <fmt/format.h>

#include "registry/base/float_text.h"
#include "registry/base/unicode.h"
#include "registry/value/json.h"
#include "registry/value/section_path.h"
#include "registry/variables/interpolate.h"
#include "registry/variables/raw_value.h"
#include "registry/writing/cfg_names.h"
#include "registry/writing/section_walk.h"

namespace weft {
namespace {

constexpr std::string_view kNull = "${null}";

bool is_bare(std::string_view key) {
  return !key.empty() && std::all_of(key.begin(), key.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '-';
  });
}

// The first code point of the text, beyond ASCII; gives its length. A byte that is no UTF-8 cannot
// be written in TOML at all.
std::size_t escape_start(std::string& out, std::string_view text) {
  const CodePoint point = first_code_point(text);
  const bool valid = point.value <= 0x10FFFF;
  out += fmt::format("\\U{:08X}", valid ? static_cast<unsigned>(point.value) : 0xFFFDU);
  return point.length;
}

std::string basic_string(std::string_view text, bool ascii) {
  std::string out = "\"";
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (ascii && static_cast<unsigned char>(c) >= 0x80) {
      i += escape_start(out, text.substr(i)) - 1;
    } else if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (c == '\n') {
      out += "\\n";
    } else if (c == '\t') {
      out += "\\t";
    } else if (static_cast<unsigned char>(c) < ' ' || c == '\x7f') {
      out += fmt::format("\\u{:04X}", static_cast<int>(c));
    } else {
      out += c;
    }
  }
  return out += '"';
}

std::string key_text(std::string_view key, bool ascii) {
  return is_bare(key) ? std::string(key) : basic_string(key, ascii);
}

std::string float_value(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value < 0 ? "-inf" : "inf";
  return float_text(value);
}

bool holds_opening(std::string_view text) {
  return text.find("${") != std::string_view::npos;
}

// A string that holds `${` but no variable: TOML has only one way to write strings, so such a value
// is written as the raw text that expands to it.
bool is_literal_dollar(const Node& node) {
  return node.is_string() && !needs_expansion(node) && holds_opening(node.as_string());
}

bool holds_literal_dollar(const Node& node) {
  if (node.is_list()) {
    return std::any_of(node.as_list().begin(), node.as_list().end(), holds_literal_dollar);
  }
  if (node.is_object()) {
    return std::any_of(node.as_object().begin(), node.as_object().end(),
                       [](const auto& entry) { return holds_literal_dollar(entry.node); });
  }
  return is_literal_dollar(node);
}

class TomlWriter {
 public:
  TomlWriter(Problems& problems, bool ascii) : problems_(problems), ascii_(ascii) {}

  std::string run(const Config& config) {
    std::vector<std::string> headers;
    for (const WalkedSection& section : walk_sections(config.root(), SectionOrder::breadth_first)) {
      headers.push_back(section.node == nullptr
                            ? std::string()
                            : join_path(headers[section.parent], key_text(section.name, ascii_)));
      write(section, headers.back());
    }
    if (!config.trailing_comments.empty() && !out_.empty()) out_ += '\n';
    comments(config.trailing_comments);
    if (!out_.empty()) out_.pop_back();  // the last line feed
    return std::move(out_);
  }

 private:
  void write(const WalkedSection& section, const std::string& header) {
    if (section.node != nullptr && has_header(section)) {
      if (!out_.empty()) out_ += '\n';
      if (section.name.find('.') != section.name.npos) {
        refuse(*section.node, section.path, "a section's name cannot hold a dot");
      }
      comments(section.node->comments);
      out_ += fmt::format("[{}]\n", header);
    }
    for (const auto& [key, node] : *section.object) {
      if (node.is_object()) continue;
      const std::string path = join_path(section.path, key);
      if (section.node == nullptr) refuse(node, path, "a value needs a section around it");
      comments(node.comments);
      out_ += fmt::format("{} = {}\n", key_text(key, ascii_), keyed_value(node, path));
    }
  }

  std::string keyed_value(const Node& node, const std::string& path) {
    if (holds_literal_dollar(node)) {
      const std::string raw = raw_text(node);
      if (!reads_as_raw_text(raw)) {
        refuse(node, path, "TOML text cannot hold `${` without a variable");
      }
      return basic_string(raw, ascii_);
    }
    if (node.kept_text && reads_as_raw_text(raw_text(node)))
      return basic_string(raw_text(node), ascii_);
    return value(node, path);
  }

  // True if a reader would take the text for one with variables.
  static bool reads_as_raw_text(const std::string& raw) {
    Node node(raw);
    mark_variables(node);
    return node.kept_raw;
  }

  std::string value(const Node& node, const std::string& path) {
    if (node.is_null()) return basic_string(kNull, ascii_);
    if (node.is_string()) return string(node, path);
    if (node.is_float()) return float_value(node.as_float());
    if (node.is_list()) return list(node.as_list(), path);
    if (node.is_object()) return inline_table(node.as_object(), path);
    if (const auto* big = std::get_if<BigInteger>(&node.value())) {
      refuse(node, path, fmt::format("TOML integers have 64 bits, and {} has more", big->digits));
    }
    return to_json(node);  // integers and booleans look alike
  }

  std::string string(const Node& node, const std::string& path) {
    if (node.as_string() == kNull) {
      refuse(node, path,
             "in TOML the text ${null} stands for null, so nothing named null can be "
             "referred to");
    }
    return basic_string(node.as_string(), ascii_);
  }

  std::string list(const List& list, const std::string& path) {
    std::string out = "[";
    for (const Node& item : list) {
      if (out.size() > 1) out += ", ";
      out += value(item, path);
    }
    return out += ']';
  }

  std::string inline_table(const Object& object, const std::string& path) {
    std::string out = "{";
    for (const auto& [key, node] : object) {
      out += fmt::format("{}{} = {}", out.size() > 1 ? ", " : " ", key_text(key, ascii_),
                         value(node, path));
    }
    return out += object.empty() ? "}" : " }";
  }

  void comments(const std::vector<std::string>& lines) {
    for (const std::string& line : lines) out_ += comment_line(line, "#") + '\n';
  }

  void refuse(const Node& node, const std::string& path, std::string message) {
    Problem problem;
    problem.kind = ProblemKind::unserialisable;
    problem.place = node.key_origin;
    problem.path = path;
    problem.message = std::move(message);
    problems_.push_back(std::move(problem));
  }

  Problems& problems_;
  bool ascii_;
  std::string out_;
};

}  // namespace

std::string write_toml(const Config& config, Problems& problems, bool ascii) {
  return TomlWriter(problems, ascii).run(config);
}

}  // namespace weft
