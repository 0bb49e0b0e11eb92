#include "framework/pipeline/setting_error.h"

#include <algorithm>
#include <utility>

#include "framework/pipeline/setting_behind.h"
#include "registry/base/problem.h"

namespace weft {
namespace {

bool is_of_user(const Origin& origin) {
  return origin.source != Origin::Source::none && origin.source != Origin::Source::default_value;
}

bool lacks_place(const Problem& problem) {
  return problem.place.source == Origin::Source::none && !problem.path.empty();
}

}  // namespace

Error setting_error(std::string path, std::string message, std::string suggestion) {
  Problem problem;
  problem.kind = ProblemKind::function_raised;
  problem.path = std::move(path);
  problem.message = std::move(message);
  problem.suggestion = std::move(suggestion);
  return {ErrorKind::config, {std::move(problem)}};
}

Origin place_of_setting(const Config& config, std::string_view path) {
  std::string at(path);
  const Node* node = config.find(setting_behind(config, at));
  if (node != nullptr && is_of_user(node->origin)) return node->origin;
  while (true) {
    node = config.find(at);
    if (node != nullptr && is_of_user(node->key_origin)) return node->key_origin;
    const std::size_t dot = at.rfind('.');
    if (dot == std::string::npos) return {};
    at.resize(dot);
  }
}

void rethrow_with_places(const Error& error, const Config& config) {
  Problems problems = error.problems();
  if (error.kind() != ErrorKind::config ||
      std::none_of(problems.begin(), problems.end(), lacks_place)) {
    throw;
  }
  for (Problem& problem : problems) {
    if (lacks_place(problem)) problem.place = place_of_setting(config, problem.path);
  }
  throw Error(error.kind(), std::move(problems));
}

}  // namespace weft
