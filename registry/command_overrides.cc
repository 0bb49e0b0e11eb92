#include "registry/command_overrides.h"

#include <utility>

#include "registry/resolve.h"
#include "registry/section_path.h"
#include "registry/suggest.h"

namespace weft {
namespace {

// Makes sure that the section stands in `config`; one that only filling adds is copied from
// `filled`.
void ensure_section(Config& config, const Config& filled, std::string_view section) {
  Object* object = &config.root();
  for (const SectionStep& step : SectionSteps(section)) {
    Node* node = object->find(step.part);
    if (node == nullptr) {
      const Node* added = filled.find(step.path);
      if (added != nullptr) object->set(step.part, *added);
      return;
    }
    if (!node->is_object()) return;
    object = &node->as_object();
  }
}

Config fill_unchecked(const Config& config, const Catalogue& catalogue, const Schemas& schemas) {
  Problems unused;
  return fill(config, catalogue, schemas, unused, {.validate = false});
}

void refuse(const Overrides& overrides, const Config& filled, Problems& problems) {
  const std::vector<std::string> names = all_paths(filled.root());
  for (const auto& [name, value] : overrides) {
    Problem& problem = problems.emplace_back();
    problem.kind = ProblemKind::unknown_override;
    problem.place = value.origin;
    problem.path = name;
    problem.message = "there is no such setting to override";
    problem.suggestion = join_or(nearest_settings(name, names));
  }
}

}  // namespace

Config apply_command_overrides(const Config& config, const Overrides& overrides,
                               const Catalogue& catalogue, const Schemas& schemas,
                               Problems& problems) {
  Config result = config;
  Overrides pending = overrides;
  Config filled = fill_unchecked(result, catalogue, schemas);
  while (!pending.empty()) {
    Overrides known, unknown;
    for (auto& override : pending) {
      (filled.find(override.first) != nullptr ? known : unknown).push_back(std::move(override));
    }
    pending = std::move(unknown);
    if (known.empty()) break;
    for (const auto& [name, value] : known) {
      ensure_section(result, filled, split_last(name).section);
    }
    apply_overrides(result, known, problems);
    filled = fill_unchecked(result, catalogue, schemas);
  }
  if (!pending.empty()) refuse(pending, filled, problems);
  return result;
}

}  // namespace weft
