#include "registry/building/builder.h"

#include <map>

#include <fmt/format.h>

#include "registry/base/error.h"
#include "registry/base/foreign_exception.h"
#include "registry/functions/fit.h"

namespace weft {
namespace {

// Where the setting of a block stands that the path names; else where the block chooses its
// function.
Origin place_in(const Node& block, const std::string& path, const std::string& setting) {
  const Object& object = block.as_object();
  const bool is_below = setting.size() > path.size() + 1 && setting.starts_with(path + ".");
  const Node* value = is_below ? object.find(setting.substr(path.size() + 1)) : nullptr;
  return value != nullptr ? value->origin : promises_of(object).front()->node.origin;
}

// Adds place and path of the block to problems that a function found out by itself. An error made
// of a message alone is one problem.
void adopt(Problems& problems, const Error& error, const std::string& path, const Node& block) {
  Problems found = error.problems();
  if (found.empty()) {
    Problem& problem = found.emplace_back();
    problem.kind = ProblemKind::function_raised;
    problem.place = error.place();
    problem.message = error.message();
  }
  for (Problem& problem : found) {
    if (problem.path.empty()) problem.path = path;
    if (problem.place.source == Origin::Source::none) {
      problem.place = place_in(block, path, problem.path);
    }
    problems.push_back(std::move(problem));
  }
}

}  // namespace

std::optional<Argument> Builder::build(const Node& node, const std::string& path) {
  if (!node.is_object()) return Argument(node);
  return is_block(node) ? build_block(node, path) : build_section(node.as_object(), path);
}

// Building goes on behind a mistake, so that one attempt tells all of them; results are only thrown
// away.
std::optional<Argument> Builder::build_section(const Object& object, const std::string& path) {
  Argument::Section members;
  bool complete = true;
  for (const auto& [key, node] : object) {
    const std::string below = join_path(path, key);
    const bool positional = key == kPositional && node.is_object();
    auto value = positional ? build_positional(node.as_object(), below) : build(node, below);
    complete &= value.has_value();
    if (complete) members.push_back({key, std::move(*value)});
  }
  if (!complete) return std::nullopt;
  return Argument(std::move(members));
}

std::optional<Argument> Builder::build_positional(const Object& object, const std::string& path) {
  Argument::List items;
  bool complete = true;
  for (const auto& [key, node] : object) {
    auto value = build(node, join_path(path, key));
    complete &= value.has_value();
    if (complete) items.push_back(std::move(*value));
  }
  if (!complete) return std::nullopt;
  return Argument(std::move(items));
}

// Arguments first, then the function: inner blocks are built before the outer one that takes them.
std::optional<Argument> Builder::build_block(const Node& node, const std::string& path) {
  const Object::Entry& promise = *promises_of(node.as_object()).front();
  const Function* function = find_function(catalogue_, promise);
  if (function == nullptr) {
    throw Error(ErrorKind::internal, "a block that was not checked is built: " + path);
  }
  auto arguments = build_arguments(
      {node, path, function->signature(), ProblemKind::validation, function->name()});
  if (!arguments) return std::nullopt;
  return call(*function, *arguments, path, node);
}

std::optional<Argument> Builder::build_value(const CheckedSection& section,
                                             const FunctionParameter& parameter, const Node& node,
                                             const std::string& path, bool check, bool as_data) {
  std::optional<Argument> value = as_data ? Argument(node) : build(node, path);
  if (!value || !check) return value;
  FitReport report;
  bool fits = fit(parameter.type, *value, report);
  report.conversions.clear();  // were reported when the tree was checked
  Reason reason = Reason::type;
  // Values of the file were checked before; the result of a function is only known now.
  if (fits && is_block(node) && value->is_data()) {
    reason = Reason::range;
    fits = check_limits(parameter, value->data(), report);
  }
  report_fit(section, report, path, node.origin, reason, problems_);
  if (!fits) return std::nullopt;
  return value;
}

// Named values in key order, then positional ones; the parameters in their own order.
std::optional<Arguments> Builder::build_arguments(const CheckedSection& section) {
  const Assignment assignment =
      assign(section.signature, section.node.as_object(), section.path, section.skip);
  // Entries lie in one array, so the order of their addresses is that of the keys in the file.
  // Functions may have effects, and are called in that order.
  std::map<const Object::Entry*, const Assigned*> in_key_order;
  for (const Assigned& assigned : assignment.parameters) {
    if (assigned.named != nullptr) in_key_order.emplace(assigned.named, &assigned);
  }
  std::map<const FunctionParameter*, Argument> values;
  bool complete = true;
  for (const auto& [entry, assigned] : in_key_order) {
    auto value = build_value(section, *assigned->parameter, entry->node,
                             join_path(section.path, entry->key), true);
    complete &= value.has_value();
    if (value) values[assigned->parameter] = std::move(*value);
  }
  for (const Assigned& assigned : assignment.parameters) {
    Argument::List items;
    for (const PositionalValue& given : assigned.positional) {
      auto value = build_value(section, *assigned.parameter, *given.value, given.path,
                               section.signature.check_positional, given.in_list);
      complete &= value.has_value();
      if (value) items.push_back(std::move(*value));
    }
    if (assigned.parameter->kind == FunctionParameter::Kind::variadic) {
      values[assigned.parameter] = Argument(std::move(items));
    } else if (!items.empty()) {
      values[assigned.parameter] = std::move(items.front());
    } else if (assigned.parameter->kind == FunctionParameter::Kind::var_keyword) {
      values[assigned.parameter] = Node(Object());
    }
  }
  if (!complete) return std::nullopt;
  Arguments arguments;
  for (const FunctionParameter& parameter : section.signature.parameters) {
    if (values.contains(&parameter)) arguments.set(parameter.name, std::move(values[&parameter]));
  }
  return arguments;
}

std::optional<Argument> Builder::call(const Function& function, Arguments& arguments,
                                      const std::string& path, const Node& block) {
  try {
    return function.call(arguments);
  } catch (const Error& error) {
    // A broken file or a missing device is no mistake of the config and ends the command as it is.
    if (error.kind() != ErrorKind::config) throw;
    adopt(problems_, error, path, block);
  } catch (...) {
    report_failure(function, foreign_words().value_or(std::string(kNoStdException)), path,
                   place_in(block, path, path));
  }
  return std::nullopt;
}

void Builder::report_failure(const Function& function, std::string message, const std::string& path,
                             const Origin& place) {
  Problem& problem = problems_.emplace_back();
  problem.kind = ProblemKind::function_raised;
  problem.path = path;
  problem.place = place;
  problem.function = function.name();
  problem.message = fmt::format("{} failed: {}", function.name(), message);
}

}  // namespace weft
