// A plugin whose functions are described by a JSON file: the environment variable
// WEFT_CONFORMANCE_FUNCTIONS names it. Signatures are made when the library is added.
#include <cstdlib>
#include <fstream>
#include <sstream>

#include "registry/base/error.h"
#include "registry/functions/catalogue.h"
#include "registry/functions/registration.h"
#include "registry/value/json.h"
#include "tests/conformance/functions/recorded.h"
#include "tests/conformance/functions/types.h"

namespace weft::conformance {
namespace {

using Kind = FunctionParameter::Kind;

Kind kind_of(const std::string& name) {
  if (name == "keyword_only") return Kind::keyword_only;
  if (name == "var_positional") return Kind::variadic;
  if (name == "var_keyword") return Kind::var_keyword;
  return Kind::positional_or_keyword;
}

Signature signature_of(const Object& function) {
  Signature signature;
  signature.check_positional = false;  // the reference hands them over as they are
  for (const Node& node : function.find("params")->as_list()) {
    const Object& described = node.as_object();
    FunctionParameter& parameter = signature.parameters.emplace_back();
    parameter.name = described.find("name")->as_string();
    parameter.kind = kind_of(described.find("kind")->as_string());
    parameter.type = type_of(*described.find("type"));
    if (const Node* value = described.find("default")) parameter.default_value = *value;
  }
  return signature;
}

// The behaviour of one function when it is called.
struct Behaviour {
  std::string name;     // "layers.dense.v1"
  std::string returns;  // "echo", "object" ...
  Node value;           // of a constant

  Argument operator()(Arguments& arguments) const {
    if (returns == "raise") throw std::runtime_error("this function always fails");
    if (returns == "constant") return value;
    if (returns == "echo") return echo(arguments);
    if (returns == "object") {
      return Product::of(Recorded{"$object", name, arguments.all()}, widget_type());
    }
    if (returns == "callable") {
      return Product::of(Recorded{"$callable", name, arguments.all()}, callable_type());
    }
    if (returns == "generator") return Product::of(series(arguments));
    const Argument::Section& all = arguments.all();
    return all.empty() ? Argument() : all.front().value;  // list: the positional ones; first
  }

  Type result() const {
    if (returns == "object") return Type::product(widget_type());
    if (returns == "callable") return Type::product(callable_type());
    if (returns == "generator") return Type::product(ProductType::of<Series>());
    return Type::any();
  }

 private:
  static ProductType callable_type() { return ProductType::named<Recorded>("function", true); }

  Argument echo(const Arguments& arguments) const {
    Argument::Section echoed;
    echoed.push_back({"fn", Node(name)});
    echoed.push_back({"args", Argument(arguments.all())});
    return Argument(std::move(echoed));
  }

  static Series series(const Arguments& arguments) {
    const Argument::Section& all = arguments.all();
    return {all.at(0).value.data().as_float(), all.at(1).value.data().as_float()};
  }
};

Node read_description() {
  const char* file = std::getenv("WEFT_CONFORMANCE_FUNCTIONS");
  if (file == nullptr) throw Error(ErrorKind::plugin, "WEFT_CONFORMANCE_FUNCTIONS is not set");
  std::ifstream stream(file);
  std::stringstream text;
  text << stream.rdbuf();
  auto description = parse_json(text.str());
  if (!description) throw Error(ErrorKind::plugin, std::string("cannot read ") + file);
  return std::move(*description);
}

void add_functions(Catalogue& catalogue) {
  const Node description = read_description();
  for (const Node& kind : description.as_object().find("registries")->as_list()) {
    catalogue.add_kind(kind.as_string());
  }
  for (const Node& node : description.as_object().find("functions")->as_list()) {
    const Object& object = node.as_object();
    const std::string kind = object.find("registry")->as_string();
    const std::string name = object.find("name")->as_string();
    Behaviour behaviour{kind + "." + name, object.find("returns")->as_string(), Node()};
    if (const Node* value = object.find("value")) behaviour.value = *value;
    const Type result = behaviour.result();
    catalogue.add(Function(kind, name, "", signature_of(object), result, std::move(behaviour)));
  }
}

const Registration kFunctions{add_functions};

}  // namespace
}  // namespace weft::conformance
