#include "registry/functions/signature.h"

#include <cmath>

#include <fmt/format.h>

namespace weft {

bool Range::bounded() const {
  return !std::isinf(min) || !std::isinf(max);
}

bool Range::admits(double value) const {
  if (finite && !std::isfinite(value)) return false;
  if (!bounded()) return true;
  return (min_open ? value > min : value >= min) && (max_open ? value < max : value <= max);
}

std::string Range::str() const {
  if (!bounded()) return "";
  const char* below = max_open ? "<" : "<=";
  if (std::isinf(max)) return fmt::format("x {} {}", min_open ? ">" : ">=", min);
  if (std::isinf(min)) return fmt::format("x {} {}", below, max);
  return fmt::format("{} {} x {} {}", min, min_open ? "<" : "<=", below, max);
}

std::string Range::wanted(double value) const {
  if (!finite || std::isfinite(value)) return str();
  return bounded() ? "finite and " + str() : "finite";
}

const FunctionParameter* Signature::find(std::string_view name) const {
  for (const FunctionParameter& parameter : parameters) {
    if (parameter.name == name) return &parameter;
  }
  return nullptr;
}

std::vector<std::string> Signature::names() const {
  std::vector<std::string> result;
  for (const FunctionParameter& parameter : parameters) {
    if (parameter.kind == FunctionParameter::Kind::variadic) {
      result.push_back("*");
    } else if (parameter.kind != FunctionParameter::Kind::var_keyword) {
      result.push_back(parameter.name);
    }
  }
  return result;
}

}  // namespace weft
