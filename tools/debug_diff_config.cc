#include <iostream>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "components/languages/recommended_vectors.h"
#include "components/reserved/starter_blocks.h"
#include "framework/pipeline/config_difference.h"
#include "framework/pipeline/default_config.h"
#include "framework/pipeline/load_config.h"
#include "framework/pipeline/starter_config.h"
#include "registry/value/json.h"
#include "registry/value/merge.h"
#include "tools/commands.h"
#include "tools/goal.h"
#include "tools/setup.h"

namespace weft::tools {
namespace {

Node json_of(const ConfigDifference& difference) {
  Object object;
  object.set("path", difference.path);
  object.set("value", difference.value);
  if (difference.default_value) object.set("default", *difference.default_value);
  object.set("origin", difference.value.origin.str());
  return object;
}

std::string line_of(const ConfigDifference& difference) {
  const std::string value = to_json(difference.value);
  if (!difference.default_value) return fmt::format("+ {} = {}", difference.path, value);
  return fmt::format("~ {} = {}  (default {})", difference.path, value,
                     to_json(*difference.default_value));
}

// The factories of the pipeline in its order; components that come from elsewhere have none.
std::vector<std::string> factories_of(const Config& config) {
  std::vector<std::string> factories;
  const Node* pipeline = config.find("nlp.pipeline");
  if (pipeline == nullptr || !pipeline->is_list()) return factories;
  for (const Node& name : pipeline->as_list()) {
    if (!name.is_string()) continue;
    const Node* factory = config.find("components." + name.as_string() + ".factory");
    if (factory != nullptr && factory->is_string()) factories.push_back(factory->as_string());
  }
  return factories;
}

// The config that `init config` writes for the same language and components.
Config starter_of(const CommandLine& line, const Config& config, const Catalogue& catalogue) {
  StarterOptions options;
  options.gpu = line.has("gpu");
  options.goal = goal_of(line.text("optimize"));
  if (const Node* lang = config.find("nlp.lang"); lang != nullptr && lang->is_string()) {
    options.lang = lang->as_string();
  }
  options.pipeline = factories_of(config);
  if (options.goal == Goal::accuracy) options.vectors = recommended_vectors(options.lang);
  Problems unused;  // the config itself was checked
  const Config starter = starter_config(options, catalogue, reserved_starter_blocks());
  Config filled = fill_pipeline_config(starter, catalogue, unused);
  if (line.has("pretraining")) filled = merge(default_pretraining_config(), filled);
  return filled;
}

bool compares_with_other(const CommandLine& line) {
  for (const char* option : {"compare-to", "optimize", "gpu", "pretraining"}) {
    if (line.has(option)) return true;
  }
  return false;
}

void print_changes(const std::vector<ConfigChange>& changes) {
  for (const auto& [path, before, after] : changes) {
    if (before) std::cout << fmt::format("- {} = {}\n", path, to_json(*before));
    if (after) std::cout << fmt::format("+ {} = {}\n", path, to_json(*after));
  }
}

Node json_of(const ConfigChange& change) {
  Object object;
  object.set("path", change.path);
  if (change.before) object.set("before", *change.before);
  if (change.after) object.set("after", *change.after);
  return object;
}

void print_defaults(const std::vector<ConfigDifference>& differences) {
  for (const ConfigDifference& difference : differences) std::cout << line_of(difference) << '\n';
}

template <class Differences>
void print_json(const Differences& differences) {
  List list;
  for (const auto& difference : differences) list.push_back(json_of(difference));
  std::cout << to_standard_json(list) << '\n';
}

}  // namespace

int run_debug_diff_config(const Words& words) {
  CommandLine line("debug diff-config CONFIG",
                   "Shows what a config changes of the defaults (~) and what has none (+), or what "
                   "it changes of another one (- and +).",
                   "weft debug diff-config train.cfg");
  line.positional("CONFIG", "the config, .cfg or .toml");
  line.option("compare-to", "FILE", "another config");
  line.option("optimize,o", "GOAL", "the config of `init config` for efficiency or accuracy");
  line.flag("gpu,G", "that of `init config --gpu`");
  line.flag("pretraining", "that of `init config` with [pretraining]");
  line.also("pretraining", {"--pt"});
  line.flag("markdown,m", "a block of Markdown, for a report");
  line.also("markdown", {"-md"});
  line.accept_json();
  line.accept_code();
  line.accept_pipelines();
  line.accept_overrides();
  if (!line.parse(words)) return 0;
  const Catalogue catalogue = load_catalogue(line);
  const Config config = load_config(line, line.path("CONFIG"), catalogue);
  std::optional<std::vector<ConfigChange>> changes;
  if (compares_with_other(line)) {
    const Config other = line.has("compare-to")
                             ? load_other_config(line.path("compare-to"), catalogue)
                             : starter_of(line, config, catalogue);
    changes = changes_between(other, config);
  }
  if (line.has("json")) {
    changes ? print_json(*changes) : print_json(differences_from_defaults(config, catalogue));
    return 0;
  }
  if (changes && changes->empty()) std::cerr << "the configs say the same\n";
  if (line.has("markdown")) std::cout << "```diff\n";
  changes ? print_changes(*changes) : print_defaults(differences_from_defaults(config, catalogue));
  if (line.has("markdown")) std::cout << "```\n";
  return 0;
}

}  // namespace weft::tools
