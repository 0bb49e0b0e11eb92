#include "registry/reading/cfg_tree.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "registry/base/suggest.h"
#include "registry/reading/config_limits.h"
#include "registry/reading/value_warnings.h"
#include "registry/value/json_limits.h"
#include "registry/value/section_path.h"

namespace weft {
namespace {

constexpr std::string_view kDefault = "DEFAULT";
// More than this many mistakes of one file are not worth a search for similar names each.
constexpr int kMostSuggestions = 20;

class TreeBuilder {
 public:
  TreeBuilder(const std::shared_ptr<const std::string>& name, VariableMode mode, Problems& problems)
      : name_(name), mode_(mode), problems_(problems) {}

  // Headers first, so that a sub-section may stand above its parent, and sections come before keys
  // in the tree whatever their order in the file.
  Config run(RawFile& file) {
    for (RawSection& section : file.sections) declare(section);
    for (const RawSection& section : file.sections) check_parents(section);
    for (RawSection& section : file.sections) fill(section);
    config_.trailing_comments = std::move(file.trailing_comments);
    return std::move(config_);
  }

 private:
  void declare(RawSection& section) {
    if (section.name == kDefault) return;
    if (++values_ == kMostConfigValues + 1) return leave_out(section, too_many());
    if (values_ > kMostConfigValues) {
      section.name = {};
      return;
    }
    if (std::count(section.name.begin(), section.name.end(), '.') >= kDeepestConfig) {
      return leave_out(section, fmt::format("sections nest deeper than {} levels", kDeepestConfig));
    }
    if (section.name.size() > kLongestPath) {
      return leave_out(section,
                       fmt::format("a section's name is longer than {} bytes", kLongestPath));
    }
    Node& node = make_section(config_.root(), section.name);
    if (node.declared) {
      add(ProblemKind::duplicate, place(section), section.name,
          fmt::format("the section is given twice, first in line {}", node.key_origin.line));
    }
    node.declared = true;
    node.origin = node.key_origin = place(section);
    node.comments = std::move(section.comments);
  }

  static std::string too_many() {
    return fmt::format("the file holds more than {} sections, settings and values in lists",
                       kMostConfigValues);
  }

  void leave_out(RawSection& section, std::string reason) {
    add(ProblemKind::limit, place(section), std::string(), std::move(reason));
    section.name = {};
  }

  void check_parents(const RawSection& section) {
    if (section.name.empty() || section.name == kDefault) return;
    const Object* object = &config_.root();
    for (const SectionStep& step : SectionSteps(section.name)) {
      const Node& node = *object->find(step.part);
      if (!node.declared && step.part != "*") return missing_parent(section, step.path);
      object = &node.as_object();
    }
  }

  void missing_parent(const RawSection& section, std::string_view parent) {
    add(ProblemKind::undefined_parent, place(section), section.name,
        fmt::format("there is no section [{}] above it", parent));
    if (++suggestions_ > kMostSuggestions) return;
    std::vector<std::string> known = declared_sections(config_.root());
    std::erase_if(known, [&](const std::string& name) {
      return name.starts_with(parent) && name[parent.size()] == '.';
    });
    problems_.back().suggestion = suggestion(parent, known);
  }

  void fill(RawSection& section) {
    if (section.name.empty()) return;
    if (section.name == kDefault) return refuse_default(section);
    Object& object = find_section(config_.root(), section.name, true)->as_object();
    for (RawEntry& entry : section.entries) {
      if (const Node* other = object.find(entry.key)) {
        clash(section, entry, *other);
      } else {
        // Behind the limit values are left empty: it was reported, and reading on would take the
        // memory.
        object.set(entry.key, values_ > kMostConfigValues ? Node() : value_node(section, entry));
      }
    }
  }

  void clash(const RawSection& section, const RawEntry& entry, const Node& other) {
    const std::string path = fmt::format("{}.{}", section.name, entry.key);
    if (other.key_origin.line != 0 && !other.declared) {
      add(ProblemKind::duplicate, key_place(entry), path,
          fmt::format("the key is given twice, first in line {}", other.key_origin.line));
      return;
    }
    const Origin where = other.declared ? other.key_origin : key_place(entry);
    add(ProblemKind::conflict, where, path,
        fmt::format("is a section and, in line {}, a key of [{}] as well", entry.line,
                    section.name));
  }

  Node value_node(const RawSection& section, RawEntry& entry) {
    Node node = read_value(entry.value, mode_);
    node.key_origin = key_place(entry);
    node.origin = Origin::file(name_, entry.value_line, entry.value_column);
    node.comments = std::move(entry.comments);
    inherit_origin(node);
    check_size(section, entry, node);
    if (node.is_string()) warn(section, entry, node);
    return node;
  }

  void check_size(const RawSection& section, const RawEntry& entry, const Node& node) {
    values_ += count_values(node);
    if (values_ > kMostConfigValues) {
      add(ProblemKind::limit, node.origin, fmt::format("{}.{}", section.name, entry.key),
          too_many());
      return;
    }
    bool over_limit = false;
    const auto start = entry.value.find_first_not_of('\n');
    const bool bracket =
        start != std::string::npos && (entry.value[start] == '[' || entry.value[start] == '{');
    const bool broken = node.is_string() && bracket;
    if (broken) parse_json(entry.value, over_limit);
    if (!over_limit) return;
    add(ProblemKind::limit, node.origin, fmt::format("{}.{}", section.name, entry.key),
        fmt::format("lists and objects nest deeper than {} levels or hold more than {} values",
                    kDeepestJson, kMostJsonValues));
  }

  void warn(const RawSection& section, const RawEntry& entry, const Node& node) {
    std::optional<Problem> warning = value_warning(entry.value, node.as_string(), mode_);
    if (!warning) return;
    warning->place = node.origin;
    warning->path = fmt::format("{}.{}", section.name, entry.key);
    problems_.push_back(*std::move(warning));
  }

  void refuse_default(const RawSection& section) {
    for (const RawEntry& entry : section.entries) {
      const bool twice =
          std::find(defaults_.begin(), defaults_.end(), entry.key) != defaults_.end();
      const std::string path = fmt::format("{}.{}", kDefault, entry.key);
      if (twice) {
        add(ProblemKind::duplicate, key_place(entry), path, "the key is given twice");
      } else if (defaults_.size() < kMostDefaults) {
        defaults_.push_back(entry.key);
        add(ProblemKind::default_section, key_place(entry), path,
            "[DEFAULT] is reserved and may hold no keys; choose another name");
      }
    }
  }

  Origin place(const RawSection& section) const {
    return Origin::file(name_, section.line, section.column);
  }
  Origin key_place(const RawEntry& entry) const {
    return Origin::file(name_, entry.line, entry.key_column);
  }

  void add(ProblemKind kind, Origin place, std::string_view path, std::string message) {
    Problem problem;
    problem.kind = kind;
    problem.place = std::move(place);
    problem.path = path;
    problem.message = std::move(message);
    problems_.push_back(std::move(problem));
  }

  static constexpr std::size_t kMostDefaults = 100;

  std::shared_ptr<const std::string> name_;
  VariableMode mode_;
  Problems& problems_;
  Config config_;
  std::vector<std::string_view> defaults_;
  int suggestions_ = 0;
  std::size_t values_ = 0;  // so far: sections, values and those inside
};

}  // namespace

Config build_tree(RawFile file, const std::shared_ptr<const std::string>& name, VariableMode mode,
                  Problems& problems) {
  return TreeBuilder(name, mode, problems).run(file);
}

}  // namespace weft
