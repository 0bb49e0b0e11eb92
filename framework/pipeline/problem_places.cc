#include "framework/pipeline/problem_places.h"

#include <cstddef>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "framework/pipeline/check_config.h"
#include "framework/pipeline/setting_behind.h"
#include "framework/pipeline/setting_error.h"
#include "registry/base/suggest.h"
#include "registry/value/nearest_settings.h"

namespace weft {
namespace {

constexpr std::size_t kMostSuggestions = 20;

bool is_override(const Node& node) {
  return node.origin.source == Origin::Source::command_line ||
         node.origin.source == Origin::Source::environment;
}

// That one of them stands in the config helps nobody.
std::set<std::string> refused_settings(std::span<const Problem> problems) {
  std::set<std::string> refused;
  for (const Problem& problem : problems) {
    if (problem.reason == Reason::unexpected) refused.insert(problem.path);
  }
  return refused;
}

}  // namespace

void point_at_overrides(const Config& config, std::span<Problem> problems) {
  for (Problem& problem : problems) {
    if (problem.reason != Reason::type && problem.reason != Reason::range) continue;
    const Node* given = config.find(setting_behind(config, problem.path));
    if (given == nullptr || !is_override(*given)) continue;
    problem.place = given->origin;
    const bool is_true = given->is_bool() && given->as_bool();
    if (is_true && problem.severity == Severity::error) {
      problem.message += "; an override without a value is true";
    }
  }
}

void point_at_sections(const Config& config, std::span<Problem> problems) {
  for (Problem& problem : problems) {
    const bool is_default = problem.place.source == Origin::Source::default_value;
    if (!is_default || problem.reason != Reason::type) continue;
    const Origin place = place_of_setting(config, problem.path);
    if (place.source != Origin::Source::none) problem.place = place;
  }
}

void suggest_elsewhere(const Config& filled, std::span<Problem> problems) {
  std::vector<std::string> names;
  std::size_t suggested = 0;
  for (Problem& problem : problems) {
    if (problem.reason != Reason::unexpected || !problem.suggestion.empty()) continue;
    if (++suggested > kMostSuggestions) return;
    if (names.empty()) {
      names = setting_names(filled);
      const std::set<std::string> refused = refused_settings(problems);
      std::erase_if(names, [&](const std::string& name) { return refused.contains(name); });
    }
    problem.suggestion = join_or(nearest_settings(problem.path, names));
  }
}

}  // namespace weft
