#include "registry/writing/describe.h"

#include <algorithm>

#include <fmt/format.h>

#include "registry/value/json.h"

namespace weft {
namespace {

std::string shown_name(const FunctionParameter& parameter) {
  return parameter.kind == FunctionParameter::Kind::variadic ? "*" + parameter.name
                                                             : parameter.name;
}

Node json_of(const FunctionParameter& parameter) {
  Object object;
  object.set("name", shown_name(parameter));
  object.set("type", parameter.type.str());
  object.set("required", parameter.required());
  if (parameter.default_value) object.set("default", *parameter.default_value);
  object.set("range", parameter.range.str());
  object.set("doc", parameter.doc);
  object.set("note", parameter.ignored);
  object.set("written", parameter.written);
  return object;
}

std::string text_of(const FunctionParameter& parameter, std::size_t width) {
  std::string about = parameter.type.str();
  if (parameter.range.bounded()) about += ", " + parameter.range.str();
  if (parameter.required()) about += ", required";
  if (parameter.written) about += ", below the run's output";
  if (parameter.default_value) about += ", default " + to_json(*parameter.default_value);
  std::string text = fmt::format("  {:<{}}  {}\n", shown_name(parameter), width, parameter.doc);
  text += fmt::format("  {:<{}}  ({})\n", "", width, about);
  if (!parameter.ignored.empty()) {
    text += fmt::format("  {:<{}}  accepted, without effect: {}\n", "", width, parameter.ignored);
  }
  return text;
}

}  // namespace

Node describe_json(const Function& function) {
  List parameters;
  for (const FunctionParameter& parameter : function.signature().parameters) {
    parameters.push_back(json_of(parameter));
  }
  Object object;
  object.set("kind", function.kind());
  object.set("name", function.name());
  object.set("doc", function.doc());
  object.set("library", function.library());
  object.set("built", function.built());
  object.set("result", function.result().str());
  object.set("parameters", std::move(parameters));
  object.set("meta", function.meta());
  return object;
}

std::string describe_text(const Function& function) {
  std::string text = fmt::format("{} ({})\n{}\n", function.name(), function.kind(), function.doc());
  if (!function.built()) text += "Known, not built yet.\n";
  text += fmt::format("Gives: {}. From: {}.\n", function.result().str(), function.library());
  const auto& parameters = function.signature().parameters;
  if (parameters.empty()) return text + "No parameters.\n";
  std::size_t width = 0;
  for (const FunctionParameter& parameter : parameters) {
    width = std::max(width, shown_name(parameter).size());
  }
  text += '\n';
  for (const FunctionParameter& parameter : parameters) text += text_of(parameter, width);
  return text;
}

}  // namespace weft
