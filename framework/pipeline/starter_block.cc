#include "framework/pipeline/starter_block.h"

#include <algorithm>

#include "registry/variables/interpolate.h"

namespace weft {
namespace {

constexpr std::string_view kStart = "${components.";

const Object* block_in(const Object& facts, Goal goal) {
  const Node* block = goal == Goal::accuracy ? facts.find("starter_accuracy") : nullptr;
  if (block == nullptr) block = facts.find("starter");
  return block != nullptr && block->is_object() ? &block->as_object() : nullptr;
}

const Object* declared_block(const std::string& name, Goal goal, const Catalogue& catalogue,
                             const Object& reserved) {
  const Function* factory = catalogue.find("factories", name);
  if (factory != nullptr && factory->meta().is_object()) {
    if (const Object* block = block_in(factory->meta().as_object(), goal)) return block;
  }
  const Node* facts = reserved.find(name);
  return facts != nullptr && facts->is_object() ? block_in(facts->as_object(), goal) : nullptr;
}

const FunctionParameter* find_parameter(const Function& function, const std::string& name) {
  const auto& all = function.signature().parameters;
  const auto found = std::find_if(all.begin(), all.end(), [&](const FunctionParameter& parameter) {
    return parameter.name == name;
  });
  return found == all.end() ? nullptr : &*found;
}

// The settings in which the factory of a language (`it.lemmatizer`) differs from the general one.
void add_defaults_of_language(Object& block, const std::string& name, std::string_view lang,
                              const Catalogue& catalogue) {
  const Function* general = catalogue.find("factories", name);
  const Function* own = catalogue.find("factories", std::string(lang) + "." + name);
  if (general == nullptr || own == nullptr) return;
  for (const FunctionParameter& parameter : own->signature().parameters) {
    const FunctionParameter* usual = find_parameter(*general, parameter.name);
    if (!parameter.default_value || block.contains(parameter.name)) continue;
    const bool differs = usual != nullptr && usual->default_value &&
                         !usual->default_value->same_value(*parameter.default_value);
    if (differs) block.set(parameter.name, *parameter.default_value);
  }
}

void add_names_in(std::string_view text, std::vector<std::string>& names) {
  for (std::size_t at = text.find(kStart); at != text.npos; at = text.find(kStart, at)) {
    at += kStart.size();
    const std::string name(text.substr(at, text.find_first_of(".}", at) - at));
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  }
}

void add_names_in(const Node& node, std::vector<std::string>& names) {
  if (node.is_string()) add_names_in(std::string_view(node.as_string()), names);
  if (node.is_list()) {
    for (const Node& item : node.as_list()) add_names_in(item, names);
  }
  if (node.is_object()) {
    for (const auto& [key, child] : node.as_object()) add_names_in(child, names);
  }
}

}  // namespace

Object starter_block(const std::string& name, std::string_view lang, Goal goal,
                     const Catalogue& catalogue, const Object& reserved) {
  Object block;
  block.set("factory", name);
  if (const Object* declared = declared_block(name, goal, catalogue, reserved)) {
    for (const auto& [key, value] : *declared) mark_variables(block.set(key, value));
  }
  add_defaults_of_language(block, name, lang, catalogue);
  return block;
}

std::vector<std::string> components_named_by(const Object& block) {
  std::vector<std::string> names;
  for (const auto& [key, value] : block) add_names_in(value, names);
  return names;
}

}  // namespace weft
