#include "framework/pipeline/config_difference.h"

#include "framework/pipeline/default_config.h"
#include "framework/pipeline/pipeline_settings.h"
#include "registry/filling/fill.h"
#include "registry/value/merge.h"

namespace weft {
namespace {

bool chooses_function(const std::string& key) {
  return key.starts_with('@') || key == "factory" || key == "source";
}

// The config with nothing but the names of functions and components.
Object skeleton(const Object& object) {
  Object bones;
  for (const auto& [key, node] : object) {
    if (node.is_object()) {
      bones.set(key, skeleton(node.as_object()));
    } else if (chooses_function(key)) {
      bones.set(key, node);
    }
  }
  return bones;
}

const Node* default_of(const std::string& path, const std::string& key, const Config& filled) {
  return chooses_function(key) ? default_config().find(path) : filled.find(path);
}

void compare(const Object& object, const std::string& prefix, const Config& filled,
             std::vector<ConfigDifference>& found) {
  for (const auto& [key, node] : object) {
    const std::string path = prefix + key;
    if (node.is_object()) {
      compare(node.as_object(), path + ".", filled, found);
      continue;
    }
    const Node* fallback = default_of(path, key, filled);
    if (fallback != nullptr && fallback->same_value(node)) continue;
    found.push_back({path, node, fallback == nullptr ? std::nullopt : std::optional(*fallback)});
  }
}

// Calls `take` with each setting that is no section.
template <class Take>
void each_setting(const Object& object, const std::string& prefix, const Take& take) {
  for (const auto& [key, node] : object) {
    if (node.is_object()) {
      each_setting(node.as_object(), prefix + key + ".", take);
    } else {
      take(prefix + key, node);
    }
  }
}

const Node* setting_at(const Config& config, const std::string& path) {
  const Node* node = config.find(path);
  return node == nullptr || node->is_object() ? nullptr : node;
}

}  // namespace

std::vector<ConfigDifference> differences_from_defaults(const Config& config,
                                                        const Catalogue& catalogue) {
  Problems unwanted;  // required values are missing on purpose
  const Config bones(skeleton(config.root()));
  const Config merged = merge(default_config(), bones);
  const Config filled = fill(merged, catalogue, pipeline_schemas(), unwanted,
                             {.validate = false, .keep_variables = true});
  std::vector<ConfigDifference> found;
  compare(config.root(), "", filled, found);
  return found;
}

std::vector<ConfigChange> changes_between(const Config& before, const Config& after) {
  std::vector<ConfigChange> changes;
  each_setting(after.root(), "", [&](const std::string& path, const Node& node) {
    const Node* old = setting_at(before, path);
    if (old != nullptr && old->same_value(node)) return;
    changes.push_back({path, old == nullptr ? std::nullopt : std::optional(*old), node});
  });
  each_setting(before.root(), "", [&](const std::string& path, const Node& node) {
    if (setting_at(after, path) == nullptr) changes.push_back({path, node, std::nullopt});
  });
  return changes;
}

}  // namespace weft
