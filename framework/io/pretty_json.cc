#include "framework/io/pretty_json.h"

#include <cmath>

#include <fmt/format.h>

#include "registry/value/json.h"
#include "registry/value/number.h"

namespace weft {
namespace {

void write(const Node& node, std::size_t depth, std::string& text);

void new_line(std::size_t depth, std::string& text) {
  text += '\n';
  text.append(2 * depth, ' ');
}

// An empty container has an empty line in it, as in spaCy's files.
void write_list(const List& list, std::size_t depth, std::string& text) {
  text += '[';
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (i > 0) text += ',';
    new_line(depth + 1, text);
    write(list[i], depth + 1, text);
  }
  if (list.empty()) text += '\n';
  new_line(depth, text);
  text += ']';
}

void write_object(const Object& object, std::size_t depth, std::string& text) {
  text += '{';
  bool first = true;
  for (const auto& [key, node] : object) {
    if (!first) text += ',';
    first = false;
    new_line(depth + 1, text);
    text += to_standard_json(Node(key)) + ':';
    write(node, depth + 1, text);
  }
  if (object.empty()) text += '\n';
  new_line(depth, text);
  text += '}';
}

void write_float(double value, std::string& text) {
  if (!std::isfinite(value)) {
    text += to_standard_json(Node(value));
    return;
  }
  const double rounded = double_of(fmt::format("{:.10g}", value));
  text += to_standard_json(Node(rounded));
}

void write(const Node& node, std::size_t depth, std::string& text) {
  if (node.is_list()) {
    write_list(node.as_list(), depth, text);
  } else if (node.is_object()) {
    write_object(node.as_object(), depth, text);
  } else if (node.is_float()) {
    write_float(node.as_float(), text);
  } else {
    text += to_standard_json(node);
  }
}

}  // namespace

std::string to_pretty_json(const Node& node) {
  std::string text;
  write(node, 0, text);
  return text;
}

}  // namespace weft
