#include "components/reserved/reserved_names.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "components/embedded_files.h"
#include "registry/base/error.h"
#include "registry/functions/registration.h"
#include "registry/value/json.h"

namespace weft {
namespace {

constexpr std::string_view kFile = "reserved_names.txt";
constexpr std::string_view kIndent = "  ";
constexpr std::string_view kGoesOn = "    ";
constexpr std::string_view kMeta = "  meta ";

[[noreturn]] void fail(std::string_view line) {
  throw Error(ErrorKind::internal, std::string(kFile) + " has a wrong line: " + std::string(line));
}

// The part of `text` before the first `end`; both are cut off `text`.
std::string_view take(std::string_view& text, char end) {
  const std::size_t size = std::min(text.find(end), text.size());
  const std::string_view taken = text.substr(0, size);
  text.remove_prefix(std::min(size + 1, text.size()));
  return taken;
}

// A line with those that go on with it.
std::string take_whole_line(std::string_view& text) {
  std::string line(take(text, '\n'));
  while (text.starts_with(kGoesOn)) {
    std::string_view more = take(text, '\n');
    more.remove_prefix(std::min(more.find_first_not_of(' '), more.size()));
    line += ' ';
    line += more;
  }
  return line;
}

// The lines up to the next that is not indented.
std::string_view take_indented(std::string_view& text) {
  const std::string_view all = text;
  while (text.starts_with(kIndent)) take(text, '\n');
  return all.substr(0, all.size() - text.size());
}

Type single_type_of(std::string_view name, std::string_view line) {
  if (name == "any") return Type::any();
  if (name == "bool") return Type::boolean();
  if (name == "int") return Type::integer();
  if (name == "float") return Type::floating();
  if (name == "str") return Type::string();
  if (name == "path") return Type::path();
  if (name == "dict") return Type::dict(Type::any());
  fail(line);
}

Type type_of(std::string_view name, std::string_view line) {
  const bool or_null = name.ends_with('?');
  if (or_null) name.remove_suffix(1);
  const bool is_list = name.starts_with('[') && name.ends_with(']');
  if (is_list) name = name.substr(1, name.size() - 2);
  Type type = single_type_of(name, line);
  if (is_list) type = Type::list(std::move(type));
  return or_null ? Type::optional(std::move(type)) : type;
}

FunctionParameter parameter_of(std::string_view line, FunctionParameter::Kind kind) {
  std::string_view rest = line.substr(kIndent.size());
  FunctionParameter parameter;
  parameter.kind = kind;
  parameter.range.finite = true;
  std::string_view name = take(rest, ' ');
  if (name.starts_with('*')) {
    parameter.kind = FunctionParameter::Kind::variadic;
    name.remove_prefix(1);
  }
  if (name.empty()) fail(line);
  parameter.name = name;
  parameter.type = type_of(take(rest, ' '), line);
  if (rest.empty()) return parameter;
  if (rest.starts_with("= ")) parameter.default_value = parse_json(rest.substr(2));
  if (!parameter.default_value) fail(line);
  return parameter;
}

Function function_of(std::string_view kind, std::string_view name, std::string_view lines) {
  Function function(std::string(kind), std::string(name), "",
                    Function::Describe([lines] { return reserved_signature(lines); }), Type::any(),
                    Function::Call());
  if (lines.find(kMeta) == lines.npos) return function;  // as of most: every process reserves all
  while (!lines.empty()) {
    const std::string line = take_whole_line(lines);
    if (line.starts_with(kMeta)) function.set_meta(line.substr(kMeta.size()));
  }
  return function;
}

// `[layers]` gives layers.
std::string_view kind_of(std::string_view heading) {
  if (heading.size() < 3 || !heading.ends_with(']')) fail(heading);
  return heading.substr(1, heading.size() - 2);
}

const Registration registered([](Catalogue& catalogue) {
  add_reserved_names(catalogue, embedded_text(kFile).value());
});

}  // namespace

Signature reserved_signature(std::string_view lines) {
  Signature signature;
  auto kind = FunctionParameter::Kind::positional_or_keyword;
  while (!lines.empty()) {
    const std::string line = take_whole_line(lines);
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

void add_reserved_names(Catalogue& catalogue, std::string_view text) {
  std::string kind;
  while (!text.empty()) {
    const std::string line = take_whole_line(text);
    if (line.empty() || line.starts_with('#')) continue;
    if (line.starts_with('[')) {
      kind = kind_of(line);
      continue;
    }
    if (kind.empty() || line.starts_with(' ')) fail(line);
    const std::string_view parameters = take_indented(text);
    for (std::string_view names = line; !names.empty();) {
      const std::string_view name = take(names, ' ');
      if (name.empty()) fail(line);
      catalogue.add(function_of(kind, name, parameters));
    }
  }
}

}  // namespace weft
