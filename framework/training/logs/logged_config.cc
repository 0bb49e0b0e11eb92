#include "framework/training/logs/logged_config.h"

#include <vector>

#include <fmt/format.h>

#include "framework/pipeline/load_config.h"
#include "registry/base/error.h"
#include "registry/base/suggest.h"

namespace weft {
namespace {

// Takes the place of a removed value: whatever changes with it was made of it.
constexpr const char* kHidden = "\x1f(hidden)\x1f";

void hide(Node& node) {
  if (!node.is_object()) {
    node.value() = kHidden;
    node.kept_raw = node.kept_text = false;
    return;
  }
  for (auto& [key, child] : node.as_object()) hide(child);
}

void add_names(const Object& object, const std::string& path, std::vector<std::string>& names) {
  for (const auto& [key, node] : object) {
    names.push_back(path + key);
    if (node.is_object()) add_names(node.as_object(), path + key + ".", names);
  }
}

[[noreturn]] void fail_unknown(const Config& config, const std::string& name) {
  std::vector<std::string> names;
  add_names(config.root(), "", names);
  const std::string near = suggestion(name, names);
  throw Error(ErrorKind::config,
              fmt::format("remove_config_values: the config has no setting '{}'{}", name,
                          near.empty() ? "" : fmt::format(" (did you mean {}?)", near)));
}

// The lists of all loggers below.
void add_removed(const Object& logger, std::vector<std::string>& names) {
  for (const auto& [key, node] : logger) {
    if (node.is_object()) add_removed(node.as_object(), names);
    if (key != "remove_config_values" || !node.is_list()) continue;
    for (const Node& name : node.as_list()) {
      if (name.is_string()) names.push_back(name.as_string());
    }
  }
}

// Of `values` as much as is the same in `hidden`. Sections that lose all they had go too.
Object same_in(const Object& values, const Object& hidden) {
  Object same;
  for (const auto& [key, node] : values) {
    const Node* other = hidden.find(key);
    if (other == nullptr) continue;
    if (node.is_object() && other->is_object() && !node.as_object().empty()) {
      Object inner = same_in(node.as_object(), other->as_object());
      if (!inner.empty()) same.set(key, std::move(inner));
    } else if (node.same_value(*other)) {
      same.set(key, node);
    }
  }
  return same;
}

// Also where the value was that of kHidden before.
void erase(Object& values, std::string_view name) {
  const std::size_t dot = name.find('.');
  Node* node = values.find(name.substr(0, dot));
  if (dot == name.npos) {
    values.erase(name);
  } else if (node != nullptr && node->is_object()) {
    erase(node->as_object(), name.substr(dot + 1));
  }
}

}  // namespace

Object logged_config(const Config& config, std::span<const std::string> removed) {
  const Config values = expanded(config);
  std::vector<std::string> names(removed.begin(), removed.end());
  const Node* logger = values.find("training.logger");
  if (logger != nullptr && logger->is_object()) add_removed(logger->as_object(), names);
  Config hidden = config;
  for (const std::string& name : names) {
    Node* node = hidden.find(name);
    if (node == nullptr) fail_unknown(config, name);
    hide(*node);
  }
  Object kept = same_in(values.root(), expanded(hidden).root());
  for (const std::string& name : names) erase(kept, name);
  return kept;
}

}  // namespace weft
