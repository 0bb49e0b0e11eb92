#include "registry/variables/raw_value.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <optional>
#include <utility>

#include "registry/value/json.h"
#include "registry/variables/interpolate.h"
#include "registry/variables/variable_syntax.h"

namespace weft {
namespace {

// Only these can start a JSON document, so that plain words are not even tried. A value whose first
// line is empty starts with a line feed.
constexpr std::string_view kJsonStarts = "\n\"[{-0123456789tfnNI";

bool holds_opening(std::string_view text) {
  return text.find("${") != std::string_view::npos;
}

// Inside a list a string was read as JSON, so its quotes are gone: variables in it give text.
void mark_in_list(Node& node) {
  if (node.is_string()) {
    node.kept_text = holds_opening(node.as_string());
  } else if (node.is_list()) {
    for (Node& item : node.as_list()) mark_in_list(item);
  } else if (node.is_object()) {
    for (auto& [key, child] : node.as_object()) mark_in_list(child);
  }
}

// A value outside JSON whose every `$` is in order may be expanded as it stands, whatever its names
// look like (`${my-part.width}`).
bool is_sound_raw_text(std::string_view raw) {
  const VariableSplit split = split_variables(raw);
  return !split.bad_dollar && std::any_of(split.pieces.begin(), split.pieces.end(),
                                          [](const Piece& piece) { return piece.reference; });
}

void mark_string(Node& node) {
  const std::string& text = node.as_string();
  node.kept_raw = holds_plain_variable(text) || is_sound_raw_text(text);
  node.kept_text = !node.kept_raw && holds_opening(text);
}

Node kept_raw_node(std::string_view raw) {
  Node node{std::string(raw)};
  node.kept_raw = true;
  return node;
}

std::string halved_dollars(std::string_view text) {
  std::string halved;
  for (std::size_t i = 0; i < text.size(); ++i) {
    halved += text[i];
    if (text.substr(i).starts_with("$$")) ++i;
  }
  return halved;
}

void halve_keys(Object& object) {
  Object halved;
  for (auto& [key, child] : object) halved.set(halved_dollars(key), std::move(child));
  object = std::move(halved);
}

// Variables stay in the tree: a value with one is kept as its raw text, quotes included, since its
// type is only known once it is expanded.
Node read_kept(std::string_view raw) {
  Node node = plain_value(raw);
  if (!node.is_string()) {
    mark_variables(node);
    return node;
  }
  const bool is_text = node.as_string() == raw;
  if (holds_plain_variable(raw) || (is_text && is_sound_raw_text(raw))) return kept_raw_node(raw);
  node.kept_text = holds_opening(node.as_string());
  return node;
}

// The value with `$` doubled wherever it is not the start of a variable to be kept.
Node with_dollars(const Node& node) {
  if (node.is_string()) {
    return Node(double_dollars(node.as_string(), node.kept_text || node.kept_raw));
  }
  if (node.is_list()) {
    List list;
    for (const Node& item : node.as_list()) list.push_back(with_dollars(item));
    return Node(std::move(list));
  }
  if (node.is_object()) {
    Object object;
    for (const auto& [key, child] : node.as_object()) {
      object.set(double_dollars(key, false), with_dollars(child));
    }
    return Node(std::move(object));
  }
  return node;
}

// Most values are a short number or plain quoted text, for which the library's parser is slow to
// set up: a quoted string of ASCII without escapes, or an integer that surely fits.
std::optional<Node> simple_value(std::string_view raw) {
  if (raw.size() >= 2 && raw.front() == '"' && raw.back() == '"') {
    const std::string_view text = raw.substr(1, raw.size() - 2);
    const bool plain = std::all_of(text.begin(), text.end(), [](char c) {
      return c >= ' ' && c <= '~' && c != '"' && c != '\\';
    });
    return plain ? std::optional<Node>(std::string(text)) : std::nullopt;
  }
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(raw.data(), raw.data() + raw.size(), value);
  const bool whole = error == std::errc() && end == raw.data() + raw.size();
  const bool canonical = raw.front() != '-' && (raw.front() != '0' || raw.size() == 1);
  return whole && canonical ? std::optional<Node>(value) : std::nullopt;
}

}  // namespace

// The dialect of spaCy: a value is JSON if it can be read as JSON, and else text without quotes.
// Python's three words are taken as well, since many configs have them.
Node plain_value(std::string_view raw) {
  if (raw == "True") return Node(true);
  if (raw == "False") return Node(false);
  if (raw == "None") return Node(nullptr);
  if (!raw.empty() && kJsonStarts.find(raw[0]) != std::string_view::npos) {
    if (std::optional<Node> node = simple_value(raw)) return *std::move(node);
    if (std::optional<Node> node = parse_json(raw)) return *std::move(node);
  }
  return Node(std::string(raw));
}

Node read_value(std::string_view raw, VariableMode mode) {
  if (raw.find('$') == std::string_view::npos) return plain_value(raw);
  return mode == VariableMode::expanded ? kept_raw_node(raw) : read_kept(raw);
}

void mark_variables(Node& node) {
  if (node.is_string()) {
    mark_string(node);
  } else if (node.is_list()) {
    mark_in_list(node);
  } else if (node.is_object()) {
    for (auto& [key, child] : node.as_object()) mark_variables(child);
  }
}

// Keys of sections are written as they are, those of objects within values with their dollars
// doubled.
void take_dollars(Node& node) {
  if (node.is_string()) {
    if (!node.kept_raw && !node.kept_text) node.value() = halved_dollars(node.as_string());
  } else if (node.is_list()) {
    for (Node& item : node.as_list()) take_dollars(item);
  } else if (node.is_object()) {
    for (auto& [key, child] : node.as_object()) take_dollars(child);
    if (!node.declared) halve_keys(node.as_object());
  }
}

bool needs_expansion(const Node& node) {
  if (node.is_string()) return node.kept_raw || node.kept_text;
  if (node.is_list()) {
    return std::any_of(node.as_list().begin(), node.as_list().end(), needs_expansion);
  }
  return node.is_object() &&
         std::any_of(node.as_object().begin(), node.as_object().end(),
                     [](const auto& entry) { return needs_expansion(entry.node); });
}

std::string raw_text(const Node& node, JsonText style) {
  if (node.kept_raw) return node.as_string();
  return to_json(with_dollars(node), style);
}

}  // namespace weft
