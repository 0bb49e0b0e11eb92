#include "tests/conformance/functions/types.h"

#include <map>

#include "registry/base/error.h"
#include "tests/conformance/functions/recorded.h"

namespace weft::conformance {
namespace {

const std::map<std::string, Type>& simple_types() {
  static const std::map<std::string, Type> types = {
      {"Any", Type::any()},
      {"None", Type::null()},
      {"bool", Type::boolean()},
      {"int", Type::integer()},
      {"float", Type::floating()},
      {"str", Type::string()},
      {"Path", Type::path()},
      {"list", Type::list(Type::any())},
      {"dict", Type::dict(Type::any())},
      {"Callable", Type::callable()},
      {"Colour", Type::choice({Node("red"), Node("green"), Node("blue")})},
      {"Widget", Type::product(widget_type())},
      {"StrictBool", Type::boolean().strict()},
      {"StrictInt", Type::integer().strict()},
      {"StrictFloat", Type::floating().strict()},
      {"StrictStr", Type::string().strict()},
  };
  return types;
}

std::vector<Type> parts_of(const Object& description) {
  std::vector<Type> parts;
  if (const Node* arguments = description.find("args")) {
    for (const Node& argument : arguments->as_list()) parts.push_back(type_of(argument));
  }
  return parts;
}

}  // namespace

ProductType widget_type() {
  return ProductType::named<Recorded>("Widget");
}

Type type_of(const Node& description) {
  if (description.is_null()) return Type::any();
  const Object& object = description.as_object();
  const std::string name = object.find("t")->as_string();
  const auto simple = simple_types().find(name);
  if (simple != simple_types().end()) return simple->second;
  if (name == "Literal") return Type::choice(object.find("values")->as_list());
  std::vector<Type> parts = parts_of(object);
  if (name == "Tuple") return Type::tuple(std::move(parts));
  if (name == "Union") return Type::any_of(std::move(parts));
  if (name == "Optional") return Type::optional(parts.at(0));
  if (name == "Dict" || name == "Mapping") return Type::dict(parts.at(1), parts.at(0));
  for (const char* list : {"List", "Sequence", "Iterable", "Set", "TupleOf"}) {
    if (name == list) return Type::list(parts.at(0));
  }
  throw Error(ErrorKind::data, "functions.json has a type that is not known here: " + name);
}

}  // namespace weft::conformance
