#include "registry/variables/variable_expander.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "registry/value/json.h"
#include "registry/value/section_path.h"
#include "registry/variables/raw_value.h"

namespace weft {
namespace {

constexpr std::size_t kLongestChain = 100;
constexpr int kDeepest = 1024;  // 512 levels of the tree, and as many again through references
constexpr std::size_t kMostBytes = std::size_t{64} << 20;

// About what a copy of the value takes in memory.
std::size_t weight(const Node& node) {
  std::size_t bytes = sizeof(Node);
  if (node.is_string()) bytes += node.as_string().size();
  if (node.is_list()) {
    for (const Node& item : node.as_list()) bytes += weight(item);
  }
  if (node.is_object()) {
    for (const auto& [key, child] : node.as_object()) bytes += key.size() + weight(child);
  }
  return bytes;
}

std::string text_of(const Node& node) {
  return node.is_string() ? node.as_string() : to_json(node, JsonText::utf8);
}

// The text between the quotes of a JSON string.
std::string escaped(const Node& node) {
  const std::string quoted = to_json_string(text_of(node));
  return quoted.substr(1, quoted.size() - 2);
}

bool starts_json_text(std::string_view raw) {
  return raw.starts_with('"') || raw.starts_with('[') || raw.starts_with('{');
}

// Whether the end of what was seen so far lies inside JSON quotes.
class QuoteState {
 public:
  void pass(std::string_view text) {
    for (const char c : text) {
      if (escape_) {
        escape_ = false;
      } else if (inside_ && c == '\\') {
        escape_ = true;
      } else if (c == '"') {
        inside_ = !inside_;
      }
    }
  }
  bool inside() const { return inside_; }

 private:
  bool inside_ = false;
  bool escape_ = false;
};

}  // namespace

// Depth first, in the order of the tree. A value that refers to another one has that expanded
// before it is read, wherever it stands, so that each value is expanded once.
bool VariableExpander::expand_object(Object& object, const std::string& path) {
  if (depth_ == kDeepest) {
    report({nullptr, &object, path}, ProblemKind::limit,
           fmt::format("variables build a tree deeper than {} levels", kDeepest));
    return false;
  }
  ++depth_;
  bool sound = true;
  for (auto& [key, node] : object) {
    if (!node.is_object() && !needs_expansion(node)) continue;
    sound &= expand_node({&node, &object, join_path(path, key)});
  }
  --depth_;
  return sound;
}

bool VariableExpander::expand_node(const Slot& slot) {
  Node& node = *slot.node;
  // One mistake is told once: values that refer to it fail in silence.
  if (failed_.contains(&node)) return false;
  if (open_nodes_.contains(&node)) {
    report_cycle(slot);
    return false;
  }
  if (node.is_object()) return expand_object(node.as_object(), slot.path);
  return !needs_expansion(node) || expand_raw(slot, raw_text(node, JsonText::utf8));
}

bool VariableExpander::expand_raw(const Slot& slot, const std::string& raw) {
  Node& node = *slot.node;
  // The chain of references is the depth of the recursion, so it bounds the stack.
  if (open_.size() == kLongestChain) {
    report(slot, ProblemKind::cycle,
           fmt::format("more than {} references lead from one to the next", kLongestChain));
    failed_.insert(&node);
    return false;
  }
  raws_[&node] = raw;
  open_.push_back(slot);
  open_nodes_.insert(&node);
  Node result;
  const bool sound = evaluate(slot, raw, result);
  open_nodes_.erase(&node);
  open_.pop_back();
  if (!sound) {
    failed_.insert(&node);
    return false;
  }
  node.value() = std::move(result.value());
  node.kept_raw = node.kept_text = false;
  if (node.is_list()) inherit_origin(node);
  return true;
}

// A value that is one variable and nothing else takes over its target with its type: a number stays
// a number, a section a section. Anything more is put together as text.
bool VariableExpander::evaluate(const Slot& slot, const std::string& raw, Node& result) {
  const VariableSplit split = split_variables(raw);
  if (split.bad_dollar) {
    report(slot, ProblemKind::variable_syntax,
           "a `$` must start a variable like ${section.key}; write $$ for the sign itself");
    return false;
  }
  const auto parts = resolve_parts(slot, split);
  if (!parts) return false;
  if (parts->size() > 1 || !parts->front().target) return join(slot, raw, *parts, result);
  const Target& target = *parts->front().target;
  if (!spend(slot, weight(*target.node))) return false;
  result.value() = target.node->value();
  if (target.is_section) section_copies_.insert(slot.node);
  return true;
}

std::optional<std::vector<VariableExpander::Part>> VariableExpander::resolve_parts(
    const Slot& slot, const VariableSplit& split) {
  std::vector<Part> parts;
  bool sound = true;
  for (const Piece& piece : split.pieces) {
    if (!piece.reference) {
      parts.push_back({piece.text, std::nullopt, {}});
      continue;
    }
    const std::optional<Target> target = find_target(slot, piece.text);
    sound = sound && target.has_value();
    parts.push_back({{}, target, piece.text});
  }
  if (!sound) return std::nullopt;
  return parts;
}

std::optional<VariableExpander::Target> VariableExpander::find_target(const Slot& from,
                                                                      std::string_view name) {
  const std::optional<Slot> found = find(from, name);
  if (!found) {
    report_unresolved(from, name);
    return std::nullopt;
  }
  if (!expand_node(*found)) return std::nullopt;
  return Target{found->node, is_section(*found->node)};
}

// Rules (2) and (3) of the documentation: JSON with JSON put in, or else text with text put in.
bool VariableExpander::join(const Slot& slot, const std::string& raw,
                            const std::vector<Part>& parts, Node& result) {
  std::string json;
  std::string text;
  QuoteState quotes;
  bool section_in_text = false;
  for (const Part& part : parts) {
    if (!part.target) {
      json += part.literal;
      text += part.literal;
      quotes.pass(part.literal);
      continue;
    }
    const Node& node = *part.target->node;
    if (!spend(slot, 2 * weight(node))) return false;
    section_in_text |= part.target->is_section && (quotes.inside() || !starts_json_text(raw));
    json += quotes.inside() ? escaped(node) : to_json(node);
    text += text_of(node);
  }
  std::optional<Node> value;
  if (starts_json_text(raw) && !section_in_text) value = parse_json(json);
  const auto section = std::find_if(parts.begin(), parts.end(), [](const Part& part) {
    return part.target && part.target->is_section;
  });
  if (!value && section != parts.end()) {
    report(slot, ProblemKind::section_in_string,
           fmt::format("${{{}}} is a whole section and cannot be part of a text", section->name),
           section->name);
    return false;
  }
  result = value ? *std::move(value) : plain_value(text);
  return true;
}

// Copies of copies grow exponentially with the length of the file: ten variables, each ten times
// the one before, are 10^10 values. All copies together have one budget.
bool VariableExpander::spend(const Slot& slot, std::size_t bytes) {
  const bool over_before = spent_ > kMostBytes;
  spent_ += bytes;
  if (spent_ <= kMostBytes) return true;
  if (!over_before) {
    report(slot, ProblemKind::limit,
           fmt::format("the expanded variables take more than {} MiB", kMostBytes >> 20));
  }
  return false;
}

}  // namespace weft
