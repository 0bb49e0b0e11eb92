#include "components/declared/declare.h"

#include <string>
#include <utility>
#include <vector>

#include "registry/base/error.h"
#include "registry/value/json.h"

namespace weft {
namespace {

constexpr std::string_view kIndent = "  ";
constexpr std::string_view kMeta = "  meta ";

// The first line, which goes from `text`.
std::string_view take_line(std::string_view& text) {
  const std::size_t end = text.find('\n');
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  return line;
}

bool goes_on(std::string_view line) {
  return line.substr(0, 4) == "    ";
}

// The lines of a text with their continuations.
std::vector<std::string> whole_lines(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const std::string_view line = take_line(text);
    if (line.empty()) continue;
    if (goes_on(line) && !lines.empty()) {
      lines.back() += ' ';
      lines.back() += line.substr(line.find_first_not_of(' '));
    } else {
      lines.emplace_back(line);
    }
  }
  return lines;
}

[[noreturn]] void fail(const std::string& line) {
  throw Error(ErrorKind::internal, "a declared name has a wrong line: " + line);
}

Type choice_of(std::string_view names) {
  std::vector<Node> values;
  while (!names.empty()) {
    const std::size_t end = names.find('|');
    values.emplace_back(std::string(names.substr(0, end)));
    names.remove_prefix(end == std::string_view::npos ? names.size() : end + 1);
  }
  return Type::choice(std::move(values));
}

Type type_of(std::string_view name) {
  if (name.ends_with('?')) return Type::optional(type_of(name.substr(0, name.size() - 1)));
  if (name.starts_with('[')) return Type::list(type_of(name.substr(1, name.size() - 2)));
  if (name.find('|') != std::string_view::npos) return choice_of(name);
  if (name == "bool") return Type::boolean();
  if (name == "int") return Type::integer();
  if (name == "float") return Type::floating();
  if (name == "str") return Type::string();
  if (name == "path") return Type::path();
  if (name == "dict") return Type::dict(Type::any());
  return Type::any();
}

// One word, which goes from `text` with the blank behind it.
std::string_view take_word(std::string_view& text) {
  const std::size_t end = text.find(' ');
  const std::string_view word = text.substr(0, end);
  text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  return word;
}

FunctionParameter parameter_of(const std::string& line, FunctionParameter::Kind kind) {
  std::string_view rest = std::string_view(line).substr(kIndent.size());
  FunctionParameter parameter;
  std::string_view name = take_word(rest);
  parameter.kind = kind;
  parameter.range.finite = true;
  if (name.starts_with("**")) {
    parameter.kind = FunctionParameter::Kind::var_keyword;
  } else if (name.starts_with('*')) {
    parameter.kind = FunctionParameter::Kind::variadic;
  }
  name.remove_prefix(std::min(name.find_first_not_of('*'), name.size()));
  parameter.name = name;
  parameter.type = type_of(take_word(rest));
  if (parameter.name.empty() || (!rest.empty() && !rest.starts_with("= "))) fail(line);
  if (rest.empty()) return parameter;
  parameter.default_value = parse_json(rest.substr(2));
  if (!parameter.default_value) fail(line);
  return parameter;
}

Function function_of(std::string_view kind, std::string_view name, std::string_view lines) {
  Function function(std::string(kind), std::string(name), "",
                    Function::Describe([lines] { return declared_signature(lines); }), Type::any(),
                    Function::Call());
  if (lines.find(kMeta) == lines.npos) return function;  // as of most: every process declares all
  for (const std::string& line : whole_lines(lines)) {
    if (line.starts_with(kMeta)) function.set_meta(line.substr(kMeta.size()));
  }
  return function;
}

}  // namespace

Signature declared_signature(std::string_view lines) {
  Signature signature;
  auto kind = FunctionParameter::Kind::positional_or_keyword;
  for (const std::string& line : whole_lines(lines)) {
    if (line.starts_with(kMeta)) continue;
    if (!line.starts_with(kIndent)) fail(line);
    if (line == "  *") {
      kind = FunctionParameter::Kind::keyword_only;
      continue;
    }
    signature.parameters.push_back(parameter_of(line, kind));
    if (signature.parameters.back().kind == FunctionParameter::Kind::variadic) {
      kind = FunctionParameter::Kind::keyword_only;
    }
  }
  return signature;
}

void declare(Catalogue& catalogue, std::string_view kind, std::string_view text) {
  while (!text.empty()) {
    const std::string_view name = take_line(text);
    if (name.empty()) continue;
    const std::string_view start = text;
    while (text.starts_with(kIndent)) take_line(text);
    catalogue.add(function_of(kind, name, start.substr(0, start.size() - text.size())));
  }
}

}  // namespace weft
