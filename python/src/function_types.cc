// The types that weft/signatures.py describes, as types of the config's checks.
#include <string>
#include <vector>

#include "functions.h"
#include "nodes.h"
#include "text.h"

#include "framework/training/schedule.h"

namespace weft::python {
namespace {

Type type_of(nb::handle spec);

std::vector<Type> types_behind(const nb::tuple& spec) {
  std::vector<Type> types;
  for (std::size_t i = 1; i < spec.size(); ++i) types.push_back(type_of(spec[i]));
  return types;
}

Type choice_of(nb::handle values) {
  std::vector<Node> nodes;
  for (const nb::handle value : values) nodes.push_back(node_of(value));
  return Type::choice(std::move(nodes));
}

Type type_of(nb::handle given) {
  const nb::tuple spec(nb::borrow<nb::object>(given));
  const std::string_view kind = utf8_of(spec[0]);
  if (kind == "null") return Type::null();
  if (kind == "boolean") return Type::boolean();
  if (kind == "integer") return Type::integer();
  if (kind == "float") return Type::floating();
  if (kind == "string") return Type::string();
  if (kind == "path") return Type::path();
  if (kind == "strict") return type_of(spec[1]).strict();
  if (kind == "choice") return choice_of(spec[1]);
  if (kind == "list") return Type::list(type_of(spec[1]));
  if (kind == "tuple") return Type::tuple(types_behind(spec));
  if (kind == "dict") return Type::dict(type_of(spec[1]));
  if (kind == "schedule") return Type::product(ProductType::of<Schedule>());
  if (kind == "object") return Type::product(value_type(false));
  if (kind == "union") return Type::any_of(types_behind(spec));
  return Type::any();
}

FunctionParameter::Kind kind_of(std::string_view name) {
  if (name == "keyword") return FunctionParameter::Kind::keyword_only;
  if (name == "variadic") return FunctionParameter::Kind::variadic;
  if (name == "any_name") return FunctionParameter::Kind::var_keyword;
  return FunctionParameter::Kind::positional_or_keyword;
}

}  // namespace

Signature signature_of_python(nb::handle parameters) {
  Signature signature;
  for (const nb::handle given : parameters) {
    FunctionParameter& parameter = signature.parameters.emplace_back();
    const nb::str name(given.attr("name"));
    const nb::str kind(given.attr("kind"));
    parameter.name = utf8_of(name);
    parameter.kind = kind_of(utf8_of(kind));
    parameter.type = type_of(given.attr("type"));
    parameter.function_fault = fault_for_python;
    if (nb::cast<bool>(given.attr("has_default"))) {
      parameter.default_value = node_of(given.attr("default"));
    }
  }
  return signature;
}

}  // namespace weft::python
