#include "framework/pipeline/adopt_error.h"

#include <utility>

#include "registry/base/error.h"

namespace weft {
namespace {

Problems problems_of(const Error& error) {
  if (!error.problems().empty()) return error.problems();
  Problem problem;
  problem.kind = ProblemKind::function_raised;
  problem.place = error.place();
  problem.message = error.message();
  return {std::move(problem)};
}

}  // namespace

bool run_adopting(const std::string& path, const Origin& place, Problems& problems,
                  const std::function<void()>& part) {
  try {
    part();
    return true;
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::config) throw;
    for (Problem& problem : problems_of(error)) {
      if (problem.path.empty()) problem.path = path;
      if (problem.place.source == Origin::Source::none) problem.place = place;
      problems.push_back(std::move(problem));
    }
    return false;
  }
}

}  // namespace weft
