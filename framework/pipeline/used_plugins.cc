#include "framework/pipeline/used_plugins.h"

#include <map>
#include <set>
#include <string>

#include <fmt/format.h>

namespace weft {
namespace {

using Used = std::map<std::string, std::set<std::string>>;

void add_function(std::string_view kind, const Node& name, const Catalogue& catalogue, Used& used) {
  const Function* function = name.is_string() ? catalogue.find(kind, name.as_string()) : nullptr;
  if (function == nullptr) return;
  // "acme 1.2.0 (/home/me/acme.so)": the file is that of one machine.
  const std::string& library = function->library();
  const auto file = library.find(" (");
  if (file != std::string::npos) used[library.substr(0, file)].insert(function->name());
}

void walk(const Object& section, bool is_component, const Catalogue& catalogue, Used& used) {
  for (const auto& [key, value] : section) {
    if (key.starts_with('@')) add_function(key.substr(1), value, catalogue, used);
    if (is_component && key == "factory") add_function("factories", value, catalogue, used);
    if (value.is_object()) walk(value.as_object(), false, catalogue, used);
  }
}

bool holds(const Node& names, const std::string& name) {
  if (!names.is_list()) return false;
  for (const Node& one : names.as_list()) {
    if (one.is_string() && one.as_string() == name) return true;
  }
  return false;
}

}  // namespace

Object used_plugins(const Config& values, const Catalogue& catalogue) {
  Used used;
  walk(values.root(), false, catalogue, used);
  if (const Node* components = values.find("components"); components && components->is_object()) {
    for (const auto& [name, block] : components->as_object()) {
      if (block.is_object()) walk(block.as_object(), true, catalogue, used);
    }
  }
  Object plugins;
  for (const auto& [plugin, functions] : used) {
    List names;
    for (const std::string& function : functions) names.emplace_back(function);
    plugins.set(plugin, std::move(names));
  }
  return plugins;
}

void name_plugins(Problems& problems, const Object& meta) {
  const Node* plugins = meta.find("plugins");
  if (plugins == nullptr || !plugins->is_object()) return;
  for (Problem& problem : problems) {
    const bool is_missing =
        problem.kind == ProblemKind::unknown_function || problem.kind == ProblemKind::not_built;
    if (!is_missing) continue;
    for (const auto& [plugin, functions] : plugins->as_object()) {
      if (!holds(functions, problem.function)) continue;
      problem.message += fmt::format("; it came from the plugin {}", plugin);
    }
  }
}

}  // namespace weft
