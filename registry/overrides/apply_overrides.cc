#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "registry/base/suggest.h"
#include "registry/overrides/overrides.h"
#include "registry/value/nearest_settings.h"
#include "registry/value/section_path.h"
#include "registry/variables/interpolate.h"

namespace weft {
namespace {

constexpr std::size_t kMostSuggestions = 20;

// Reports names that do not exist; collects the names to choose from only when there is need.
class UnknownOverrides {
 public:
  UnknownOverrides(const Config& config, Problems& problems)
      : config_(config), problems_(problems) {}

  void report(const std::string& name, const Node& value, std::string message) {
    Problem problem;
    problem.kind = ProblemKind::unknown_override;
    problem.place = value.origin;
    problem.path = name;
    problem.message = std::move(message);
    if (++reported_ <= kMostSuggestions) {
      if (paths_.empty()) paths_ = all_paths(config_.root());
      problem.suggestion = join_or(nearest_settings(name, paths_));
    }
    problems_.push_back(std::move(problem));
  }

 private:
  const Config& config_;
  Problems& problems_;
  std::vector<std::string> paths_;
  std::size_t reported_ = 0;
};

bool is_known(Config& config, const std::string& name) {
  const SplitPath path = split_last(name);
  if (!path.has_section) return false;
  const Node* section = find_section(config.root(), path.section);
  return section != nullptr && section->declared;
}

const char* why_unknown(Config& config, const std::string& name) {
  const SplitPath path = split_last(name);
  if (!path.has_section) return "cannot be overridden: a section and a key are needed";
  if (config.find(path.section) != nullptr) {
    return "cannot be overridden: only keys of a section with a header can be";
  }
  return "cannot be overridden: the config has no such section";
}

// An object becomes a section, with all objects in it.
void declare(Node& node) {
  if (!node.is_object()) return;
  node.declared = true;
  for (auto& [key, child] : node.as_object()) declare(child);
}

// The end of the chain of values that weaker sources gave.
// Each node knows the values that it replaced, the strongest first: messages can say which source
// won over which.
void append_replaced(Node& node, Node old) {
  if (node.replaced == nullptr) {
    node.replaced = std::make_shared<const Node>(std::move(old));
    return;
  }
  Node weaker = *node.replaced;
  append_replaced(weaker, std::move(old));
  node.replaced = std::make_shared<const Node>(std::move(weaker));
}

// Comments and the place of the key belong to the file and stay; the value has the origin of the
// override.
void put(Object& section, std::string_view key, Node value) {
  inherit_origin(value);
  mark_variables(value);
  declare(value);
  if (Node* old = section.find(key)) {
    value.comments = old->comments;
    value.key_origin = old->key_origin;
    append_replaced(value, std::move(*old));
  }
  section.set(key, std::move(value));
}

}  // namespace

void apply_overrides(Config& config, const Overrides& overrides, Problems& problems) {
  UnknownOverrides unknown(config, problems);
  // All names are judged by the config as it was read, before the first value is put in: the order
  // of the words on a command line does not decide which of them are known.
  std::vector<const Overrides::value_type*> known;
  for (const auto& override : overrides) {
    if (is_known(config, override.first)) {
      known.push_back(&override);
    } else {
      unknown.report(override.first, override.second, why_unknown(config, override.first));
    }
  }
  for (const Overrides::value_type* override : known) {
    const SplitPath path = split_last(override->first);
    Node* section = find_section(config.root(), path.section);
    if (section == nullptr) {
      unknown.report(override->first, override->second,
                     "cannot be overridden: another override replaced its section");
    } else {
      put(section->as_object(), path.key, override->second);
    }
  }
}

void override_existing(Config& config, const Overrides& overrides, Problems& problems) {
  UnknownOverrides unknown(config, problems);
  for (const auto& [name, value] : overrides) {
    if (config.find(name) == nullptr) {
      unknown.report(name, value, "cannot be overridden: there is no such setting");
      continue;
    }
    const SplitPath path = split_last(name);
    if (path.has_section) {
      put(config.find(path.section)->as_object(), path.key, value);
    } else {  // `--system=1.5`: the dot is that of the value
      unknown.report(name, value, why_unknown(config, name));
    }
  }
}

void check_overrides(const Config& filled, const Overrides& overrides, Problems& problems) {
  UnknownOverrides unknown(filled, problems);
  for (const auto& [name, node] : overrides) {
    if (filled.find(name) == nullptr) {
      unknown.report(name, node, "cannot be overridden: there is no such setting");
    }
  }
}

}  // namespace weft
