#include "framework/pipeline/frozen.h"

#include <algorithm>
#include <optional>
#include <unordered_set>

#include <fmt/format.h>
#include <fnmatch.h>

#include "framework/nn/layer_path.h"
#include "framework/nn/missing_parameter.h"
#include "framework/pipeline/component.h"
#include "framework/pipeline/language.h"
#include "framework/pipeline/setting_error.h"
#include "registry/base/suggest.h"

namespace weft {
namespace {

bool matches(const std::string& pattern, const std::string& name) {
  return ::fnmatch(pattern.c_str(), name.c_str(), 0) == 0;
}

struct Entry {
  std::string component;
  std::optional<std::string> layer;
};

Entry entry_of(const std::string& text) {
  const std::size_t dot = text.find('.');
  if (dot == std::string::npos) return {text, std::nullopt};
  return {text.substr(0, dot), text.substr(dot + 1)};
}

// All that entries can name, for a suggestion.
std::vector<std::string> names_in(const Language& nlp) {
  std::vector<std::string> names;
  for (const NamedComponent& named : nlp.pipeline()) {
    names.push_back(named.name);
    for (const ModelPtr& root : named.component->models()) {
      for (const auto& [node, part] : part_names(*root)) {
        if (!part.empty()) names.push_back(named.name + "." + part);
      }
    }
  }
  std::sort(names.begin(), names.end());
  return names;
}

[[noreturn]] void refuse(const Language& nlp, std::string_view setting, const std::string& entry) {
  throw setting_error(fmt::format("training.{}", setting),
                      fmt::format("the pipeline has nothing called '{}'", entry),
                      join_or(nearest(entry, names_in(nlp))));
}

bool names_a_layer(const NamedComponent& named, const std::string& entry) {
  const std::string layers[] = {entry};
  for (const ModelPtr& root : named.component->models()) {
    if (!frozen_layers(*root, named.name, layers).empty()) return true;
  }
  return false;
}

}  // namespace

// Parents come before their children in the walk, so every node has its name when those below it
// are named. The first name stays: a role that the model gives a part goes before the label of a
// layer.
std::unordered_map<const Model*, std::string> part_names(const Model& root) {
  std::unordered_map<const Model*, std::string> names;
  names[&root] = "";
  const auto below = [](const std::string& outer, const std::string& inner) {
    return outer.empty() ? inner : outer + "." + inner;
  };
  for (const Model* node : root.walk()) {
    const std::string own = names.at(node);
    for (const auto& [role, reference] : node->refs()) {
      const ModelPtr part = reference.lock();
      if (part) names.try_emplace(part.get(), below(own, role));
    }
    std::unordered_map<std::string, int> seen;
    for (const ModelPtr& layer : node->layers()) {
      std::string label = layer->path_name();
      const int number = ++seen[label];
      if (number > 1) label += "_" + std::to_string(number);
      // The parts of a network inside of a part are called as if they were the part's own.
      names.try_emplace(layer.get(), layer->refs().empty() ? below(own, label) : own);
    }
  }
  return names;
}

// A layer inside of a frozen one is frozen too; as parents come first, one pass finds all.
std::vector<const Model*> frozen_layers(const Model& root, std::string_view component,
                                        std::span<const std::string> layers) {
  std::vector<const Model*> found;
  const auto names = part_names(root);
  std::unordered_set<const Model*> frozen;
  for (const Model* node : root.walk()) {
    const bool is_named = std::any_of(layers.begin(), layers.end(), [&](const std::string& text) {
      const Entry entry = entry_of(text);
      const std::string& name = names.at(node);
      return entry.layer && matches(entry.component, std::string(component)) && !name.empty() &&
             matches(*entry.layer, name);
    });
    if (is_named) frozen.insert(node);
    if (frozen.count(node) == 0) continue;
    found.push_back(node);
    for (const ModelPtr& layer : node->layers()) frozen.insert(layer.get());
  }
  return found;
}

Frozen frozen_parts(const Language& nlp, std::span<const std::string> entries,
                    std::string_view setting) {
  Frozen frozen;
  for (const std::string& text : entries) {
    const Entry entry = entry_of(text);
    bool is_there = false;
    for (const NamedComponent& named : nlp.pipeline()) {
      if (!matches(entry.component, named.name)) continue;
      if (!entry.layer) {
        is_there = true;
        frozen.components.push_back(named.name);
      } else if (names_a_layer(named, text)) {
        is_there = true;
      }
    }
    if (!is_there) refuse(nlp, setting, text);
    if (entry.layer) frozen.layers.push_back(text);
  }
  return frozen;
}

bool lacks_weights(const Component& component) {
  const auto& models = component.models();
  return std::any_of(models.begin(), models.end(),
                     [](const ModelPtr& root) { return missing_parameter(*root) != nullptr; });
}

std::string no_weights_to_keep(const std::string& component) {
  return fmt::format(
      "'{0}' has no weights to keep; give [components.{0}] a source, or take it out of the list",
      component);
}

}  // namespace weft
