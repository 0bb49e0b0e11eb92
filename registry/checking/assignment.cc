#include "registry/checking/assignment.h"

namespace weft {
namespace {

using Kind = FunctionParameter::Kind;

// As in a Python call: values fill the parameters from left to right, and `*args` takes what is
// left.
void assign_positional(Assignment& assignment, std::vector<PositionalValue> values) {
  std::size_t next = 0;
  for (Assigned& assigned : assignment.parameters) {
    if (next == values.size()) return;
    if (assigned.parameter->kind == Kind::positional_or_keyword) {
      assigned.positional.push_back(std::move(values[next++]));
    } else if (assigned.parameter->kind == Kind::variadic) {
      while (next < values.size()) assigned.positional.push_back(std::move(values[next++]));
    }
  }
  for (; next < values.size(); ++next) assignment.too_many.push_back(std::move(values[next]));
}

bool takes_a_name(const FunctionParameter& parameter) {
  return parameter.kind == Kind::positional_or_keyword || parameter.kind == Kind::keyword_only;
}

}  // namespace

Assignment assign(const Signature& signature, const Object& object, std::string_view path,
                  std::string_view skip) {
  Assignment assignment;
  assignment.parameters.reserve(signature.parameters.size());
  std::size_t named = 0;
  for (const FunctionParameter& parameter : signature.parameters) {
    Assigned& assigned = assignment.parameters.emplace_back();
    assigned.parameter = &parameter;
    if (!takes_a_name(parameter)) continue;
    for (const Object::Entry& entry : object) {
      if (entry.key == parameter.name) assigned.named = &entry;
    }
    if (assigned.named != nullptr) ++named;
  }
  assign_positional(assignment, positional_values(object, path));
  // Every key has found its parameter: nothing can be unexpected.
  if (named == object.size()) return assignment;
  for (const Object::Entry& entry : object) {
    if (entry.key.starts_with('@') || entry.key == kPositional || entry.key == skip) continue;
    const FunctionParameter* parameter = signature.find(entry.key);
    if (parameter == nullptr || !takes_a_name(*parameter)) assignment.unexpected.push_back(&entry);
  }
  return assignment;
}

}  // namespace weft
