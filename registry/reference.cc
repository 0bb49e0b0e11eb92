#include "registry/reference.h"

#include <algorithm>

#include <fmt/format.h>

#include "registry/cfg_writer.h"
#include "registry/error.h"
#include "registry/json.h"
#include "registry/suggest.h"

namespace weft {
namespace {

using Kind = FunctionParameter::Kind;

std::string_view kind_name(Kind kind) {
  switch (kind) {
    case Kind::positional_or_keyword:
      return "positional or keyword";
    case Kind::keyword_only:
      return "keyword only";
    case Kind::variadic:
      return "positional";
    case Kind::var_keyword:
      return "any keyword";
  }
  return "";
}

std::string default_text(const FunctionParameter& parameter) {
  if (parameter.kind == Kind::variadic) return "given by `*`";
  if (!parameter.default_value) return "required";
  const Node& value = *parameter.default_value;
  if (!value.is_object()) return to_json(value);
  for (const auto& [key, node] : value.as_object()) {
    if (key.starts_with('@') && node.is_string()) return key + " = " + node.as_string();
  }
  return to_json(value);
}

std::string type_text(const FunctionParameter& parameter) {
  std::string text = parameter.type.str();
  if (parameter.range.bounded()) text += ", " + parameter.range.str();
  return text;
}

// Two columns, the first as wide as its widest entry.
std::string two_columns(const std::vector<std::pair<std::string, std::string>>& rows) {
  std::size_t width = 0;
  for (const auto& [left, right] : rows) width = std::max(width, left.size());
  std::string text;
  for (const auto& [left, right] : rows) {
    text += right.empty() ? left + "\n" : fmt::format("{:<{}}  {}\n", left, width, right);
  }
  return text;
}

Node parameter_json(const FunctionParameter& parameter) {
  Object object;
  object.set("name", parameter.name);
  object.set("type", parameter.type.str());
  object.set("kind", std::string(kind_name(parameter.kind)));
  object.set("required", parameter.required());
  if (parameter.default_value) object.set("default", *parameter.default_value);
  if (parameter.range.bounded()) object.set("range", parameter.range.str());
  object.set("doc", parameter.doc);
  return object;
}

// `|` would end a cell of a table.
std::string cell(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    if (c == '|') escaped += '\\';
    escaped += c == '\n' ? ' ' : c;
  }
  return escaped;
}

// Defaults that are blocks, in full, as a config would say them.
std::string block_defaults(const Function& function) {
  Object blocks;
  for (const FunctionParameter& parameter : function.signature().parameters) {
    const bool block = parameter.default_value && parameter.default_value->is_object() &&
                       !parameter.default_value->as_object().empty();
    if (block) blocks.set(parameter.name, *parameter.default_value);
  }
  if (blocks.empty()) return "";
  Problems unused;
  return "\n```ini\n" + write_cfg(Config(std::move(blocks)), unused) + "\n```\n";
}

std::string function_section(const Function& function) {
  std::string text = fmt::format("## {}\n\n", function.name());
  if (!function.doc().empty()) text += function.doc() + ".\n\n";
  if (!function.built())
    text += "Known, not built yet: configs that use it are checked and filled.\n\n";
  const auto& parameters = function.signature().parameters;
  if (parameters.empty()) return text + "No parameters.\n";
  text += "| parameter | type | default | meaning |\n| --- | --- | --- | --- |\n";
  for (const FunctionParameter& parameter : parameters) {
    const std::string value = default_text(parameter);
    const bool code = parameter.default_value.has_value();
    text += fmt::format("| `{}` | {} | {} | {} |\n", parameter.name, cell(type_text(parameter)),
                        cell(code ? "`" + value + "`" : value), cell(parameter.doc));
  }
  return text + block_defaults(function);
}

[[noreturn]] void no_such(std::string message, std::string_view word,
                          const std::vector<std::string>& known) {
  const std::string near = join_or(nearest(word, known));
  if (!near.empty()) message += fmt::format(" (did you mean {}?)", near);
  throw Error(ErrorKind::usage, message);
}

}  // namespace

std::string kinds_text(const Catalogue& catalogue) {
  std::vector<std::pair<std::string, std::string>> rows;
  for (const std::string& kind : catalogue.kinds()) {
    rows.emplace_back(
        kind, fmt::format("{:>4}  {}", catalogue.names(kind).size(), catalogue.kind_doc(kind)));
  }
  return two_columns(rows);
}

Node kinds_json(const Catalogue& catalogue) {
  List kinds;
  for (const std::string& kind : catalogue.kinds()) {
    Object object;
    object.set("name", kind);
    object.set("functions", static_cast<std::int64_t>(catalogue.names(kind).size()));
    object.set("doc", std::string(catalogue.kind_doc(kind)));
    kinds.emplace_back(std::move(object));
  }
  Object root;
  root.set("kinds", std::move(kinds));
  return root;
}

std::string names_text(const Catalogue& catalogue, std::string_view kind) {
  std::vector<std::pair<std::string, std::string>> rows;
  for (const std::string& name : catalogue.names(kind)) {
    const Function& function = *catalogue.find(kind, name);
    rows.emplace_back(name, function.doc() + (function.built() ? "" : " [not built yet]"));
  }
  return two_columns(rows);
}

Node names_json(const Catalogue& catalogue, std::string_view kind) {
  List functions;
  for (const std::string& name : catalogue.names(kind)) {
    const Function& function = *catalogue.find(kind, name);
    Object object;
    object.set("name", name);
    object.set("doc", function.doc());
    object.set("library", function.library());
    object.set("built", function.built());
    functions.emplace_back(std::move(object));
  }
  Object root;
  root.set("kind", std::string(kind));
  root.set("functions", std::move(functions));
  return root;
}

std::string function_text(const Function& function) {
  std::string text = fmt::format("@{} = \"{}\"\n", function.kind(), function.name());
  if (!function.doc().empty()) text += function.doc() + "\n";
  text += fmt::format("from {}{}\n", function.library(),
                      function.built() ? "" : "; known, not built yet");
  for (const FunctionParameter& parameter : function.signature().parameters) {
    text += fmt::format("\n{} ({}): {}\n    {}\n", parameter.name, type_text(parameter),
                        default_text(parameter), parameter.doc);
  }
  return text;
}

Node function_json(const Function& function) {
  Object root;
  root.set("kind", function.kind());
  root.set("name", function.name());
  root.set("doc", function.doc());
  root.set("library", function.library());
  root.set("built", function.built());
  root.set("result", function.result().str());
  List parameters;
  for (const FunctionParameter& parameter : function.signature().parameters) {
    parameters.push_back(parameter_json(parameter));
  }
  root.set("parameters", std::move(parameters));
  root.set("meta", function.meta());
  return root;
}

std::string reference_page(const Catalogue& catalogue, std::string_view kind) {
  std::string page = fmt::format("# {}\n\n", kind);
  if (!catalogue.kind_doc(kind).empty()) page += fmt::format("{}.\n\n", catalogue.kind_doc(kind));
  page += fmt::format(
      "Generated from the registered functions; `weft registry {} NAME` prints "
      "the same.\n",
      kind);
  for (const std::string& name : catalogue.names(kind)) {
    page += "\n" + function_section(*catalogue.find(kind, name));
  }
  return page;
}

void require_kind(const Catalogue& catalogue, std::string_view kind) {
  if (catalogue.has_kind(kind)) return;
  no_such(fmt::format("there is no kind of functions called \"{}\"", kind), kind,
          catalogue.kinds());
}

const Function& require_function(const Catalogue& catalogue, std::string_view kind,
                                 std::string_view name) {
  require_kind(catalogue, kind);
  const Function* function = catalogue.find(kind, name);
  if (function == nullptr) {
    no_such(fmt::format("there is no function \"{}\" in {}", name, kind), name,
            catalogue.names(kind));
  }
  return *function;
}

}  // namespace weft
