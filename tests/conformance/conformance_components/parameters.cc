#include <fstream>
#include <map>
#include <string>

#include "framework/parser/dependency_parser.h"
#include "framework/parser/entity_recognizer.h"
#include "registry/value/json.h"
#include "tests/conformance/conformance_components/updates.h"
#include "tests/conformance/updates/arrays.h"

namespace weft::conformance {
namespace {

constexpr double kNormLimit = 1e-5;  // relative

Json shape_of(const Tensor& tensor) {
  Json shape = Json::array();
  for (int axis = 0; axis < tensor.shape().rank(); ++axis) shape.push_back(tensor.dim(axis));
  return shape;
}

template <class Table>
Json names_of(const Table& table) {
  Json names = Json::array();
  for (int k = 0; k < table.size(); ++k) names.push_back(table.name(k));
  return names;
}

// Parsers have them in their tables. Label data has the classes as its list, the keys of a table,
// or the list of a table.
Json classes_of(const Component& component) {
  if (const auto* parser = dynamic_cast<const DependencyParser*>(&component)) {
    return names_of(parser->arc_table());
  }
  if (const auto* recognizer = dynamic_cast<const EntityRecognizer*>(&component)) {
    return names_of(recognizer->action_table());
  }
  const Json data = Json::parse(to_standard_json(component.label_data()));
  if (!data.is_object()) return data;
  if (data.contains("labels")) return data.at("labels");
  Json classes = Json::array();
  for (const auto& [label, _] : data.at("morph").items()) classes.push_back(label);
  return classes;
}

}  // namespace

void check_parameters(const Language& nlp, const std::filesystem::path& file, Checks& checks) {
  if (!checks.open(file)) return;
  const Json record = Json::parse(std::ifstream(file));
  for (const NamedComponent& named : nlp.pipeline()) {
    const Node labels = named.component->label_data();
    const std::string kind = record.contains("labels/" + named.name) ? "labels/" : "classes/";
    const std::string key = kind + named.name;
    if (labels.is_null() || !record.contains(key)) continue;
    checks.equal(named.name, "classes", classes_of(*named.component), record.at(key));
  }
  std::map<std::string, Parameter*> parameters;
  for (const auto& [name, parameter] : parameters_of(nlp)) parameters[name] = parameter;
  for (const Json& wanted : record.at("parameters")) {
    const auto name = wanted.at("name").get<std::string>();
    const auto found = parameters.find(name);
    if (found == parameters.end() || !found->second->value) {
      checks.failed(name, "no such parameter");
      continue;
    }
    const Tensor& value = found->second->value;
    checks.equal(name, "shape", shape_of(value), wanted.at("shape"));
    const double norm = wanted.at("norm");
    checks.near(name, "norm", norm_of(value), norm, kNormLimit * norm);
    parameters.erase(found);
  }
  for (const auto& [name, parameter] : parameters) {
    if (parameter->value) checks.failed(name, "a parameter that the reference lacks");
  }
}

}  // namespace weft::conformance
