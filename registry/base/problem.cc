#include "registry/base/problem.h"

#include <algorithm>
#include <array>
#include <cstddef>

#include <fmt/format.h>

namespace weft {
namespace {

constexpr std::array kKindNames = {"parse",
                                   "duplicate",
                                   "default_section",
                                   "undefined_parent",
                                   "conflict",
                                   "unknown_override",
                                   "unresolved_variable",
                                   "variable_syntax",
                                   "cycle",
                                   "section_in_string",
                                   "validation",
                                   "schema",
                                   "multiple_promises",
                                   "unknown_registry",
                                   "unknown_function",
                                   "not_built",
                                   "function_raised",
                                   "no_such_option",
                                   "invalid_override",
                                   "unserialisable",
                                   "single_quoted",
                                   "became_string",
                                   "disagreement",
                                   "ignored",
                                   "limit"};
static_assert(kKindNames.size() == static_cast<std::size_t>(ProblemKind::limit) + 1);

constexpr std::array kReasonNames = {"", "type", "missing", "unexpected", "range"};
static_assert(kReasonNames.size() == static_cast<std::size_t>(Reason::range) + 1);

// "[training.optimizer] learn_rat": the section in brackets, then the key. Problems of a section
// itself have only the brackets.
std::string shown_path(const Problem& problem) {
  const std::string& path = problem.path;
  const auto dot = path.rfind('.');
  if (dot == std::string::npos || problem.kind == ProblemKind::undefined_parent) {
    return fmt::format("[{}]", path);
  }
  return fmt::format("[{}] {}", path.substr(0, dot), path.substr(dot + 1));
}

}  // namespace

std::string_view name_of(ProblemKind kind) {
  return kKindNames[static_cast<std::size_t>(kind)];
}

std::string_view name_of(Reason reason) {
  return kReasonNames[static_cast<std::size_t>(reason)];
}

std::string Problem::str() const {
  std::string text = place.str();
  if (!text.empty()) text += "  ";
  if (!path.empty()) text += shown_path(*this) + ": ";
  text += message;
  if (!suggestion.empty()) text += fmt::format(" (did you mean {}?)", suggestion);
  return text;
}

bool has_errors(const Problems& problems) {
  return std::any_of(problems.begin(), problems.end(),
                     [](const Problem& problem) { return problem.severity == Severity::error; });
}

}  // namespace weft
