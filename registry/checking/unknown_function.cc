#include "registry/checking/unknown_function.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "registry/base/suggest.h"
#include "registry/value/json.h"

namespace weft {
namespace {

constexpr std::size_t kMostListed = 8;

// Names, or the words that list them.
std::string listed(const std::vector<std::string>& names, std::string_view kind) {
  if (names.empty()) return "there are none";
  if (names.size() > kMostListed) {
    return fmt::format("there are {}: weft registry{}{}", names.size(), kind.empty() ? "" : " ",
                       kind);
  }
  return fmt::format("known: {}", fmt::join(names, ", "));
}

// The kinds that have a function of that name.
std::string elsewhere(const Catalogue& catalogue, std::string_view name) {
  std::vector<std::string> kinds;
  for (const std::string& kind : catalogue.kinds()) {
    if (catalogue.find(kind, name) != nullptr) kinds.push_back("@" + kind);
  }
  return join_or(kinds);
}

}  // namespace

Problem unknown_function(const Catalogue& catalogue, std::string_view kind, const Node& name,
                         std::string path) {
  Problem problem;
  problem.place = name.origin;
  problem.path = std::move(path);
  if (!catalogue.has_kind(kind)) {
    problem.kind = ProblemKind::unknown_registry;
    problem.message = fmt::format("no kind of functions is called \"{}\"", kind);
    const std::vector<std::string> kinds = catalogue.kinds();
    problem.suggestion = join_or(nearest(kind, kinds));
    if (problem.suggestion.empty()) problem.message += "; " + listed(kinds, "");
    return problem;
  }
  problem.kind = ProblemKind::unknown_function;
  if (!name.is_string()) {
    problem.message = fmt::format("the name of a function is a string, not {}", name.type_name());
    return problem;
  }
  const std::vector<std::string> names = catalogue.names(kind);
  problem.message = fmt::format("no function {} in {}", to_json(name), kind);
  problem.function = name.as_string();
  // The usual mistake is the right name under a wrong kind, so that is looked for before similar
  // names.
  if (const std::string other = elsewhere(catalogue, name.as_string()); !other.empty()) {
    problem.suggestion = other;
    return problem;
  }
  problem.suggestion = join_or(nearest(name.as_string(), names));
  if (problem.suggestion.empty()) problem.message += "; " + listed(names, kind);
  return problem;
}

}  // namespace weft
