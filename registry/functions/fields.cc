#include "registry/functions/fields.h"

#include <utility>

#include "registry/base/error.h"
#include "registry/reading/cfg_reader.h"

namespace weft {

Node block_default(std::string_view name, std::string_view cfg) {
  Problems problems;
  Config config = read_cfg(cfg, name, problems, {.interpolate = false});
  if (has_errors(problems)) throw Error(ErrorKind::internal, problems);
  Node* node = config.find(name);
  if (node == nullptr) {
    throw Error(ErrorKind::internal,
                "the default block has no section [" + std::string(name) + "]");
  }
  return std::move(*node);
}

FunctionParameter& add_parameter(Signature& signature, std::string_view name, std::string_view doc,
                                 Type type) {
  FunctionParameter& parameter = signature.parameters.emplace_back();
  parameter.name = name;
  parameter.doc = doc;
  parameter.type = std::move(type);
  parameter.range.finite = true;
  return parameter;
}

void set_default(FunctionParameter& parameter, Node value) {
  parameter.default_value = std::move(value);
}

}  // namespace weft
