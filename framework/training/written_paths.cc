#include "framework/training/written_paths.h"

#include <algorithm>
#include <array>
#include <functional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "framework/io/open_below.h"
#include "registry/base/letter_case.h"
#include "registry/functions/block.h"
#include "registry/value/json.h"

namespace weft {
namespace {

namespace fs = std::filesystem;

constexpr std::array<std::string_view, 6> kOwnNames = {"config.cfg", "run.json",   "log.jsonl",
                                                       "model-last", "model-best", "diverged"};
constexpr std::string_view kCheckpoints = "checkpoint";  // and checkpoint-STEP

// A value that a function writes to, with its place in the config. A value that is given by place,
// through `*`, cannot be changed where it stands.
struct Setting {
  const Node& value;
  std::string path;
  Node* node;  // null: given by place
};

using TakeSetting = std::function<void(const Setting&)>;

const Function* function_of(const Object& block, const Catalogue& catalogue) {
  const auto promises = promises_of(block);
  if (promises.size() != 1 || !promises.front()->node.is_string()) return nullptr;
  return catalogue.find(std::string_view(promises.front()->key).substr(1),
                        promises.front()->node.as_string());
}

bool is_given(const Object& block, const std::string& path, const std::string& name,
              std::size_t place, bool has_place) {
  return block.contains(name) || (has_place && place < positional_values(block, path).size());
}

// A file or folder that the config does not name is one all the same.
void write_defaults(const Function& function, Object& block, const std::string& path) {
  std::size_t place = 0;
  for (const FunctionParameter& parameter : function.signature().parameters) {
    const bool has_place = parameter.kind == FunctionParameter::Kind::positional_or_keyword;
    const bool given = is_given(block, path, parameter.name, place, has_place);
    if (has_place) ++place;
    const auto& value = parameter.default_value;
    if (!parameter.written || given || !value || !value->is_string()) continue;
    block.set(parameter.name, *value);
  }
}

void visit_arguments(const Function& function, Object& block, const std::string& path,
                     const TakeSetting& take) {
  write_defaults(function, block, path);
  const std::vector<PositionalValue> by_place = positional_values(block, path);
  std::size_t place = 0;
  for (const FunctionParameter& parameter : function.signature().parameters) {
    Node* named = block.find(parameter.name);
    const bool has_place = parameter.kind == FunctionParameter::Kind::positional_or_keyword;
    const PositionalValue* given =
        has_place && place < by_place.size() ? &by_place[place] : nullptr;
    if (has_place) ++place;
    if (!parameter.written) continue;
    if (named != nullptr && named->is_string()) {
      take({*named, path + "." + parameter.name, named});
    }
    if (given != nullptr && given->value->is_string()) take({*given->value, given->path, nullptr});
  }
}

void visit_written(Node& node, const std::string& path, const Catalogue& catalogue,
                   const TakeSetting& take) {
  if (!node.is_object()) return;
  const Function* function = function_of(node.as_object(), catalogue);
  if (function != nullptr) visit_arguments(*function, node.as_object(), path, take);
  for (auto& [key, child] : node.as_object()) {
    visit_written(child, fmt::format("{}.{}", path, key), catalogue, take);
  }
}

// A config may come from anywhere; the command line and the environment are the user's own word.
bool is_of_user(const Origin& origin) {
  return origin.source == Origin::Source::command_line ||
         origin.source == Origin::Source::environment;
}

// Compared without case, since some file systems do not tell cases apart.
bool is_own_name(const fs::path& relative) {
  const std::string first = lower_case(relative.begin()->string());
  return first.starts_with(kCheckpoints) ||
         std::find(kOwnNames.begin(), kOwnNames.end(), first) != kOwnNames.end();
}

bool has_control(const std::string& text) {
  return std::any_of(text.begin(), text.end(),
                     [](unsigned char c) { return c < ' ' || c == 0x7F; });
}

// The fault of a path relative to the output; "" if it has none.
std::string fault_of(const fs::path& relative) {
  if (relative.empty() || !relative.has_filename() || has_control(relative.string())) {
    return "is no name of a file";
  }
  if (is_own_name(relative)) return "is a name that the run itself writes to";
  return "";
}

class Placer {
 public:
  Placer(const Catalogue& catalogue, Problems& problems)
      : catalogue_(catalogue), problems_(problems) {}

  // Whether an absolute path lies below the output is only known to the run.
  void check(Config& values) {
    visit(values, [&](const Setting& setting) {
      if (!fs::path(setting.value.as_string()).is_absolute()) {
        static_cast<void>(below_output(setting, "/output"));
        return;
      }
      report(setting, kOutside);
      problems_.back().severity = Severity::warning;
    });
  }

  void place(Config& values, const fs::path& output) {
    visit(values, [&](const Setting& setting) {
      if (output.empty()) return report(setting, kNoOutput);
      const fs::path relative = below_output(setting, output);
      if (!relative.empty()) setting.node->value() = (output / relative).string();
    });
  }

  std::vector<fs::path> placed() const { return {seen_.begin(), seen_.end()}; }

 private:
  static constexpr const char* kOutside =
      "lies outside of the run's output; if that is meant, give it on the command line: --{} FILE";
  static constexpr const char* kNoOutput =
      "has no --output to lie below; give one, or the file on the command line: --{} FILE";

  void visit(Config& values, const TakeSetting& take) {
    for (auto& [key, node] : values.root()) {
      visit_written(node, key, catalogue_, [&](const Setting& setting) {
        if (!is_of_user(setting.value.origin)) take(setting);
      });
    }
  }

  // The path relative to the output; empty, with a problem, where it may not be written.
  fs::path below_output(const Setting& setting, const fs::path& output) {
    if (setting.node == nullptr) {
      report(setting, "names a file to write by its place under `*`; give it by its name");
      return {};
    }
    const fs::path given = setting.value.as_string();
    const bool climbs = std::find(given.begin(), given.end(), "..") != given.end();
    fs::path relative = climbs ? fs::path() : path_below(output, output / given);
    std::string fault = given.empty() || has_control(given.string()) ? fault_of(given) : "";
    if (fault.empty() && relative.empty()) {
      report(setting, kOutside);
      return {};
    }
    if (fault.empty()) fault = fault_of(relative);
    if (fault.empty() && !seen_.insert(relative).second)
      fault = "is written to by another function";
    if (fault.empty()) return relative;
    report(setting, fault);
    return {};
  }

  void report(const Setting& setting, std::string_view fault) {
    Problem& problem = problems_.emplace_back();
    problem.kind = ProblemKind::validation;
    problem.place = setting.value.origin;
    problem.path = setting.path;
    problem.message = fmt::format("{} {}", to_json(setting.value),
                                  fmt::format(fmt::runtime(fault), setting.path));
  }

  const Catalogue& catalogue_;
  Problems& problems_;
  std::set<fs::path> seen_;
};

}  // namespace

std::vector<fs::path> place_written_paths(Config& values, const Catalogue& catalogue,
                                          const fs::path& output, Problems& problems) {
  Placer placer(catalogue, problems);
  placer.place(values, output);
  return placer.placed();
}

void check_written_paths(const Config& values, const Catalogue& catalogue, Problems& problems) {
  Config copy = values;
  Placer(catalogue, problems).check(copy);
}

}  // namespace weft
