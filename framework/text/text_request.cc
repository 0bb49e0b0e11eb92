#include "framework/text/text_request.h"

#include <optional>

#include <fmt/format.h>

#include "framework/io/text_beginning.h"
#include "framework/text/printable.h"
#include "registry/base/error.h"
#include "registry/base/suggest.h"
#include "registry/value/json.h"
#include "registry/value/json_fault.h"
#include "registry/value/json_limits.h"

namespace weft {
namespace {

[[noreturn]] void refuse(const std::string& message, Origin place = {}) {
  throw Error(ErrorKind::data, message, std::move(place));
}

Node parse(std::string_view body) {
  if (body.starts_with(kByteOrderMark)) {
    body.remove_prefix(kByteOrderMark.size());
  }
  std::optional<std::string> repeated;
  std::optional<Node> value = parse_json(body, repeated);
  if (repeated) refuse(fmt::format("the key '{}' is there twice", printable_brief(*repeated)));
  if (value) return std::move(*value);
  const auto fault = json_fault(body);
  if (!fault) refuse("the body is JSON that is too deep, or has too many values");
  Origin place;
  place.line = fault->line;
  place.column = fault->column;
  refuse(fmt::format("the body is no JSON: line {}, column {} (byte {})", fault->line,
                     fault->column, fault->byte),
         place);
}

[[noreturn]] void refuse_key(const std::string& key) {
  const auto near = nearest(key, {"text", "texts"});
  refuse(fmt::format(
      "'{}' means nothing here{}; a request is {{\"text\": \"...\"}} or {{\"texts\": "
      "[\"...\"]}}",
      printable_brief(key), near.empty() ? "" : fmt::format(" (did you mean {}?)", join_or(near))));
}

std::string text_of(const Node& value, const std::string& path) {
  if (!value.is_string()) refuse(path + " is no string");
  return value.as_string();
}

std::vector<std::string> texts_of(Node& value) {
  if (!value.is_list()) refuse("texts is no list of strings");
  std::vector<std::string> texts;
  for (Node& text : value.as_list()) {
    texts.push_back(text_of(text, fmt::format("texts[{}]", texts.size())));
  }
  return texts;
}

}  // namespace

TextRequest read_text_request(std::string_view body) {
  Node root = parse(body);
  if (!root.is_object()) refuse("the body is no object: {\"text\": \"...\"} is one");
  Object& object = root.as_object();
  for (const auto& [key, value] : object) {
    if (key != "text" && key != "texts") refuse_key(key);
  }
  Node* text = object.find("text");
  Node* texts = object.find("texts");
  if (text != nullptr && texts != nullptr) refuse("text and texts are given both");
  if (text != nullptr) return {{text_of(*text, "text")}, true};
  if (texts != nullptr) return {texts_of(*texts), false};
  refuse("there is neither text nor texts");
}

}  // namespace weft
