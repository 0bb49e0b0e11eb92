#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "registry/base/suggest.h"
#include "registry/value/section_path.h"
#include "registry/variables/variable_expander.h"

namespace weft {
namespace {

constexpr int kMostSuggestions = 20;

// The `*` above positional sections, which has no header of its own.
bool is_implicit(const Node& node) {
  return node.is_object() && !node.declared && node.key_origin.source == Origin::Source::none;
}

}  // namespace

// Colons separate parts as dots do. A name without either is a key of the same section first, then
// a section at the top.
std::optional<VariableExpander::Slot> VariableExpander::find(const Slot& from,
                                                             std::string_view name) {
  std::string dotted(name);
  std::replace(dotted.begin(), dotted.end(), ':', '.');
  return dotted.find('.') == std::string::npos ? find_word(from, dotted) : find_dotted(dotted);
}

std::optional<VariableExpander::Slot> VariableExpander::find_dotted(const std::string& name) {
  const bool any_object = references_ == References::objects;
  const SplitPath path = split_last(name);
  if (Node* section = find_section(root_, path.section, any_object)) {
    Object& object = section->as_object();
    Node* value = object.find(path.key);
    if (value != nullptr && !value->declared && (any_object || !is_implicit(*value))) {
      return Slot{value, &object, name};
    }
  }
  Node* section = find_section(root_, name, any_object);
  if (section == nullptr || (!section->declared && !any_object)) return std::nullopt;
  return Slot{section, &root_, name};
}

std::optional<VariableExpander::Slot> VariableExpander::find_word(const Slot& from,
                                                                  const std::string& name) {
  const bool any_object = references_ == References::objects;
  Node* value = from.section->find(name);
  const bool is_key = value != nullptr && !value->declared && !is_implicit(*value) &&
                      !(any_object && value->is_object() && !raws_.contains(value));
  if (is_key) {
    const std::string* raw = raw_of(*value);
    const std::string* own = raw_of(*from.node);
    // A key does not refer to one with the very same raw text, so that `seed = ${seed}` means the
    // section of that name, as in the reference.
    const bool same_text = raw != nullptr && own != nullptr && *raw == *own;
    if (!same_text) {
      return Slot{value, from.section, join_path(split_last(from.path).section, name)};
    }
  }
  Node* section = root_.find(name);
  if (section == nullptr || !section->is_object() || (!section->declared && !any_object)) {
    return std::nullopt;
  }
  return Slot{section, &root_, name};
}

// A section, or a value that stands for one.
bool VariableExpander::is_section(const Node& node) const {
  return node.is_object() && (node.declared || section_copies_.contains(&node));
}

const std::string* VariableExpander::raw_of(const Node& node) const {
  if (node.kept_raw) return &node.as_string();
  const auto found = raws_.find(&node);
  return found == raws_.end() ? nullptr : &found->second;
}

void VariableExpander::report(const Slot& slot, ProblemKind kind, std::string message,
                              std::string_view variable) {
  Problem problem;
  problem.kind = kind;
  if (slot.node != nullptr) problem.place = slot.node->origin;
  problem.path = slot.path;
  problem.message = std::move(message);
  problem.variable = variable;
  problems_.push_back(std::move(problem));
}

void VariableExpander::report_unresolved(const Slot& slot, std::string_view name) {
  std::string dotted(name);
  std::replace(dotted.begin(), dotted.end(), ':', '.');
  const SplitPath split = split_last(dotted);
  const Node* holder = split.has_section ? find_section(root_, split.section, true) : nullptr;
  const bool inside_value = holder != nullptr && holder->as_object().contains(split.key);
  report(
      slot, ProblemKind::unresolved_variable,
      fmt::format("${{{}}} leads nowhere{}", name,
                  inside_value ? ": only keys of a section with a header can be referred to" : ""),
      name);
  // Similar names are looked for among all paths; with thousands of mistakes that would take
  // minutes.
  if (++suggestions_ > kMostSuggestions) return;
  std::vector<std::string> names;
  if (name.find_first_of(".:") == std::string_view::npos) {
    for (const auto& [key, node] : *slot.section) names.push_back(key);
    for (const auto& [key, node] : root_) names.push_back(key);
    std::erase(names, split_last(slot.path).key);
  } else {
    names = all_paths(root_);
    std::erase(names, slot.path);
  }
  problems_.back().suggestion = suggestion(name, names);
}

void VariableExpander::report_cycle(const Slot& target) {
  const auto start = std::find_if(open_.begin(), open_.end(),
                                  [&](const Slot& slot) { return slot.node == target.node; });
  std::string chain;
  for (auto slot = start; slot != open_.end(); ++slot) chain += slot->path + " → ";
  chain += start->path;
  report(*start, ProblemKind::cycle, "the variables lead in a circle: " + chain, chain);
}

}  // namespace weft
