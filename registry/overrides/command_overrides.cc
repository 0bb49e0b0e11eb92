#include "registry/overrides/command_overrides.h"

#include <algorithm>
#include <string>
#include <utility>

#include "registry/value/section_path.h"

namespace weft {
namespace {

// Makes sure that the value and its section stand in `config`, as completing adds them: a
// function's other arguments then stay beside the one that is replaced. But where the function
// itself is replaced, its section starts empty, as the arguments would be those of another.
void ensure_value(Config& config, const Config& completed, const std::string& name) {
  const SplitPath path = split_last(name);
  if (!path.has_section) return;
  const bool replaces_function = path.key.starts_with('@');
  Object* object = &config.root();
  for (const SectionStep& step : SectionSteps(path.section)) {
    Node* node = object->find(step.part);
    if (node == nullptr) {
      node =
          &object->set(step.part, replaces_function ? Node(Object()) : *completed.find(step.path));
      node->declared = true;
    }
    if (!node->is_object()) return;  // another override put a value there
    object = &node->as_object();
  }
  if (!object->contains(path.key)) object->set(path.key, *completed.find(name));
}

// Whether one of the overrides replaces a section that the name lies in.
bool lies_below(const std::string& name, const Overrides& overrides) {
  return std::any_of(overrides.begin(), overrides.end(),
                     [&](const auto& override) { return name.starts_with(override.first + "."); });
}

}  // namespace

void apply_command_overrides(Config& config, const Overrides& overrides,
                             const CompleteConfig& complete, Problems& problems) {
  // Rounds: overrides that are known are put in, and the config is completed anew, which may bring
  // the settings that others name (`--x.@batchers b` brings those of b, and so does a whole section
  // that comes before its settings). Defaults that are not filled in by themselves are tried last.
  // It ends, since each round takes some override or is the last.
  Overrides pending = overrides;
  bool all = false;
  Config completed = complete(config, all);
  while (!pending.empty()) {
    Overrides known, unknown;
    for (auto& override : pending) {
      const bool is_known =
          completed.find(override.first) != nullptr && !lies_below(override.first, known);
      (is_known ? known : unknown).push_back(std::move(override));
    }
    pending = std::move(unknown);
    if (known.empty()) {
      if (std::exchange(all, true)) break;
      completed = complete(config, all);
      continue;
    }
    for (const auto& [name, value] : known) ensure_value(config, completed, name);
    override_existing(config, known, problems);
    if (!pending.empty()) completed = complete(config, all);
  }
  check_overrides(completed, pending, problems);
}

}  // namespace weft
