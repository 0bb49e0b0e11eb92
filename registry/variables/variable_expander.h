// The work behind interpolate: one pass over a tree whose values still hold variables.
// Source: docs/config.md, "Variables".
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "registry/base/problem.h"
#include "registry/value/config.h"
#include "registry/variables/interpolate.h"
#include "registry/variables/variable_syntax.h"

namespace weft {

class VariableExpander {
 public:
  VariableExpander(Config& config, References references, Problems& problems)
      : root_(config.root()), references_(references), problems_(problems) {}

  void run() { expand_object(root_, std::string()); }

 private:
  // A value, the object it is a key of, and its path.
  struct Slot {
    Node* node;
    Object* section;
    std::string path;
  };
  // The target of a reference.
  struct Target {
    const Node* node = nullptr;
    bool is_section = false;
  };
  struct Part {
    std::string_view literal;
    std::optional<Target> target;
    std::string_view name;
  };

  bool expand_object(Object& object, const std::string& path);
  bool expand_node(const Slot& slot);
  bool expand_raw(const Slot& slot, const std::string& raw);
  bool evaluate(const Slot& slot, const std::string& raw, Node& result);
  std::optional<std::vector<Part>> resolve_parts(const Slot& slot, const VariableSplit& split);

  std::optional<Slot> find(const Slot& from, std::string_view name);
  std::optional<Slot> find_dotted(const std::string& name);
  std::optional<Slot> find_word(const Slot& from, const std::string& name);
  std::optional<Target> find_target(const Slot& from, std::string_view name);

  bool join(const Slot& slot, const std::string& raw, const std::vector<Part>& parts, Node& result);
  bool is_section(const Node& node) const;
  const std::string* raw_of(const Node& node) const;
  bool spend(const Slot& slot, std::size_t bytes);

  void report(const Slot& slot, ProblemKind kind, std::string message,
              std::string_view variable = {});
  void report_unresolved(const Slot& slot, std::string_view name);
  void report_cycle(const Slot& target);

  Object& root_;
  References references_;
  Problems& problems_;
  std::vector<Slot> open_;  // values being expanded, outermost first
  std::unordered_set<const Node*> open_nodes_;
  std::unordered_set<const Node*> failed_;
  std::unordered_set<const Node*> section_copies_;
  std::unordered_map<const Node*, std::string> raws_;  // of values already expanded
  int depth_ = 0;
  std::size_t spent_ = 0;
  int suggestions_ = 0;
};

}  // namespace weft
