#include "registry/writing/reference_page.h"

#include <fmt/format.h>

#include "registry/value/json.h"
#include "registry/writing/cfg_writer.h"

namespace weft {
namespace {

using Kind = FunctionParameter::Kind;

bool is_block_default(const FunctionParameter& parameter) {
  return parameter.default_value && parameter.default_value->is_object() &&
         !parameter.default_value->as_object().empty();
}

std::string default_text(const FunctionParameter& parameter) {
  if (parameter.kind == Kind::variadic) return "given by `*`";
  if (is_block_default(parameter)) return "the section below";
  return parameter.default_value ? "`" + to_json(*parameter.default_value) + "`" : "required";
}

std::string type_text(const FunctionParameter& parameter) {
  std::string text = parameter.type.str();
  if (parameter.range.bounded()) text += ", `" + parameter.range.str() + "`";
  return text;
}

std::string meaning(const FunctionParameter& parameter) {
  if (parameter.written) return parameter.doc + "; below the run's output";
  if (parameter.ignored.empty()) return parameter.doc;
  return fmt::format("{}; accepted, without effect: {}", parameter.doc, parameter.ignored);
}

// `|` would end a cell of the table.
std::string cell(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    if (c == '|') escaped += '\\';
    escaped += c == '\n' ? ' ' : c;
  }
  return escaped;
}

// Defaults that are blocks, as a config would say them.
std::string block_defaults(const Function& function) {
  Object blocks;
  for (const FunctionParameter& parameter : function.signature().parameters) {
    if (is_block_default(parameter)) blocks.set(parameter.name, *parameter.default_value);
  }
  if (blocks.empty()) return "";
  Problems unused;
  return "\n```ini\n" + write_cfg(Config(std::move(blocks)), unused) + "\n```\n";
}

std::string function_section(const Function& function) {
  std::string text = fmt::format("## {}\n\n", function.name());
  if (!function.doc().empty()) text += function.doc() + "\n\n";
  if (!function.built()) {
    text += "Known, not built yet: configs that use it are checked and filled.\n\n";
  }
  const auto& parameters = function.signature().parameters;
  if (parameters.empty()) return text + "No parameters.\n";
  text += "| parameter | type | default | meaning |\n| --- | --- | --- | --- |\n";
  for (const FunctionParameter& parameter : parameters) {
    text += fmt::format("| `{}` | {} | {} | {} |\n", parameter.name, cell(type_text(parameter)),
                        cell(default_text(parameter)), cell(meaning(parameter)));
  }
  return text + block_defaults(function);
}

}  // namespace

std::string reference_page(const Catalogue& catalogue, std::string_view kind) {
  std::string page = fmt::format("# {}\n\n", kind);
  if (!catalogue.kind_doc(kind).empty()) page += fmt::format("{}\n\n", catalogue.kind_doc(kind));
  page += fmt::format("Generated from the code: `weft registry {} NAME` prints the same.\n", kind);
  for (const std::string& name : catalogue.names(kind)) {
    page += "\n" + function_section(*catalogue.find(kind, name));
  }
  return page;
}

}  // namespace weft
