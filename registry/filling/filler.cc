#include "registry/filling/filler.h"

#include <algorithm>

#include <fmt/format.h>

#include "registry/base/suggest.h"
#include "registry/checking/unknown_function.h"
#include "registry/value/merge.h"

namespace weft {
namespace {

// A default as it goes into the tree: it and all below say where they came from.
void mark_default(Node& node, const Origin& origin) {
  node.origin = origin;
  node.key_origin = origin;
  if (!node.is_object()) return;
  node.declared = true;
  for (auto& [key, child] : node.as_object()) mark_default(child, origin);
}

Node default_of(const FunctionParameter& parameter, const Origin& origin) {
  Node node = *parameter.default_value;
  mark_default(node, origin);
  return node;
}

bool has_default(const FunctionParameter& parameter, const FillOptions& options) {
  return parameter.default_value && (parameter.filled || options.all_defaults);
}

// Written configs so begin with what the user gave, and the order of defaults never changes.
// After the given keys, in parameter order.
void add_defaults(Object& object, const Signature& signature, std::string_view owner,
                  std::string_view path, const FillOptions& options) {
  const Assignment assignment = assign(signature, object, path, "");
  std::vector<const FunctionParameter*> absent;
  for (const Assigned& assigned : assignment.parameters) {
    const bool given = assigned.named != nullptr || !assigned.positional.empty();
    if (!given && has_default(*assigned.parameter, options)) absent.push_back(assigned.parameter);
  }
  if (absent.empty()) return;
  const Origin origin = Origin::default_of(std::string(owner));
  for (const FunctionParameter* parameter : absent)
    object.set(parameter->name, default_of(*parameter, origin));
}

// Defaults of a selected function go under what is given, blocks included.
void merge_defaults(Node& node, const Function& function, const FillOptions& options) {
  Object defaults;
  const Origin origin = Origin::default_of(function.name());
  for (const FunctionParameter& parameter : function.signature().parameters) {
    if (!has_default(parameter, options)) continue;
    defaults.set(parameter.name, default_of(parameter, origin));
  }
  Config merged = merge(Config(std::move(defaults)), Config(std::move(node.as_object())));
  node.as_object() = std::move(merged.root());
}

// True if the object has every key that the signature asks for.
bool gives_required(const Object& object, const Signature& signature) {
  return std::all_of(signature.parameters.begin(), signature.parameters.end(),
                     [&](const FunctionParameter& parameter) {
                       return !parameter.required() || object.contains(parameter.name);
                     });
}

// Neither the selector nor what a section without it needs is there.
Problem unselected(const Node& node, const std::string& path, const SectionSchema& schema) {
  Problem problem;
  problem.kind = ProblemKind::schema;
  problem.reason = Reason::missing;
  problem.place = node.key_origin;
  problem.path = join_path(path, schema.selector);
  std::vector<std::string> wanted = {schema.selector};
  for (const FunctionParameter& parameter : schema.signature.parameters) {
    if (parameter.required()) wanted.push_back(parameter.name);
  }
  problem.message = fmt::format("missing; the section needs {}", join_or(wanted));
  for (const auto& [key, value] : node.as_object()) {
    if (nearest(key, wanted, 1).empty()) continue;
    problem.place = value.key_origin;
    problem.message += fmt::format("; there is \"{}\"", key);
    problem.suggestion = nearest(key, wanted, 1).front();
  }
  return problem;
}

}  // namespace

// A block with `@kind` is checked against the function that it names, a section against the schema
// of its path; anything else is plain data, in which blocks may stand.
void Filler::fill_node(Node& node, const std::string& path) {
  if (!node.is_object()) return;
  if (is_block(node)) return fill_block(node, path);
  if (const SectionSchema* schema = schemas_.find(path)) return fill_schema(node, path, *schema);
  fill_children(node, path);
}

void Filler::fill_children(Node& node, const std::string& path) {
  for (auto& [key, child] : node.as_object()) {
    if (child.is_object()) fill_node(child, join_path(path, key));
  }
}

void Filler::fill_block(Node& node, const std::string& path) {
  const auto promises = promises_of(node.as_object());
  const Object::Entry& promise = *promises.front();
  // Which of the two functions is meant cannot be told, so neither's defaults are put in.
  if (promises.size() > 1) {
    Problem& problem = problems_.emplace_back();
    problem.kind = ProblemKind::multiple_promises;
    problem.place = promises[1]->node.key_origin;
    problem.path = path;
    problem.message = fmt::format("a block calls one function, but this has both {} and {}",
                                  promise.key, promises[1]->key);
    return fill_children(node, path);
  }
  const std::string kind = promise.key.substr(1);
  const Function* function = find_function(catalogue_, promise);
  if (function == nullptr) {
    report_unknown(kind, promise.node, join_path(path, promise.key));
    if (options_.report_unknown) fill_children(node, path);
    return;
  }
  report_not_built(*function, promise.node, path);
  // Outer before inner: a default may itself be a block, which is then filled like one of the file.
  add_defaults(node.as_object(), function->signature(), function->name(), path, options_);
  check({node, path, function->signature(), ProblemKind::validation, function->name()});
  fill_children(node, path);
}

void Filler::fill_schema(Node& node, const std::string& path, const SectionSchema& schema) {
  if (schema.may_be_empty && node.as_object().empty()) return;
  const Node* selected = schema.selector.empty() ? nullptr : node.as_object().find(schema.selector);
  if (selected == nullptr) {
    if (schema.selector.empty() || gives_required(node.as_object(), schema.signature)) {
      return fill_section(node, path, schema.signature, schema.unknown);
    }
    if (options_.validate) problems_.push_back(unselected(node, path, schema));
    return fill_children(node, path);
  }
  const Function* function =
      selected->is_string() ? catalogue_.find(schema.kind, selected->as_string()) : nullptr;
  if (function != nullptr) return fill_selected(node, path, schema.selector, *function);
  report_unknown(schema.kind, *selected, join_path(path, schema.selector));
  if (options_.report_unknown) fill_children(node, path);
}

void Filler::fill_section(Node& node, const std::string& path, const Signature& signature,
                          UnknownKeys unknown) {
  add_defaults(node.as_object(), signature, fmt::format("[{}]", path), path, options_);
  check({node, path, signature, ProblemKind::schema, "", "", unknown});
  fill_children(node, path);
}

void Filler::fill_selected(Node& node, const std::string& path, std::string_view selector,
                           const Function& function) {
  report_not_built(function, *node.as_object().find(selector), path);
  merge_defaults(node, function, options_);
  check({node, path, function.signature(), ProblemKind::validation, function.name(), selector});
  fill_children(node, path);
}

void Filler::check(const CheckedSection& section) {
  if (options_.validate) check_section(section, catalogue_, problems_);
}

void Filler::report_unknown(std::string_view kind, const Node& name, const std::string& path) {
  if (!options_.report_unknown) return;
  problems_.push_back(unknown_function(catalogue_, kind, name, path));
}

void Filler::report_not_built(const Function& function, const Node& name, const std::string& path) {
  if (!options_.report_not_built || function.built()) return;
  Problem& problem = problems_.emplace_back();
  problem.kind = ProblemKind::not_built;
  problem.place = name.origin;
  problem.path = path;
  problem.function = function.name();
  problem.message = fmt::format("{} is known, not built yet", function.name());
}

}  // namespace weft
