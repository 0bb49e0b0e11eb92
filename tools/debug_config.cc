#include <filesystem>
#include <iostream>

#include <fmt/format.h>

#include "framework/pipeline/check_config.h"
#include "framework/pipeline/check_construction.h"
#include "framework/pipeline/language_notes.h"
#include "framework/pipeline/load_config.h"
#include "framework/pipeline/setting_behind.h"
#include "framework/pipeline/training_obstacles.h"
#include "framework/training/written_paths.h"
#include "registry/base/error.h"
#include "registry/base/suggest.h"
#include "registry/value/json.h"
#include "tools/commands.h"
#include "tools/config_overview.h"
#include "tools/setup.h"
#include "tools/standard_streams.h"
#include "tools/verdict.h"

namespace weft::tools {
namespace {

Node json_of(const Problem& problem) {
  const bool in_file = problem.place.source == Origin::Source::file && problem.place.name;
  Object object;
  object.set("severity", std::string(problem.severity == Severity::error     ? "error"
                                     : problem.severity == Severity::warning ? "warning"
                                                                             : "note"));
  object.set("file", in_file ? Node(*problem.place.name) : Node());
  object.set("line", in_file ? Node(problem.place.line) : Node());
  object.set("column", in_file ? Node(problem.place.column) : Node());
  object.set("origin", problem.place.str());
  object.set("path", problem.path);
  object.set("kind", std::string(name_of(problem.kind)));
  object.set("reason", std::string(name_of(problem.reason)));
  object.set("message", problem.message);
  object.set("suggestion", problem.suggestion);
  return object;
}

int print_json(const Config& config, const Problems& problems) {
  List list;
  for (const Problem& problem : problems) list.push_back(json_of(problem));
  Object document;
  document.set("config", config.root());
  document.set("problems", std::move(list));
  std::cout << to_standard_json(document) << '\n';
  return has_errors(problems) ? exit_code(ErrorKind::config) : 0;
}

std::string shown(const Node& node) {
  return to_json(node);
}

std::string origin_of(const Node& node) {
  const std::string text = node.origin.str();
  return text.empty() ? "the pipeline" : text;
}

void print_replaced(const Node& node, const char* indent) {
  for (const Node* old = node.replaced.get(); old != nullptr; old = old->replaced.get()) {
    std::cout << indent << "replaces " << shown(*old) << " from " << origin_of(*old) << '\n';
  }
}

// The value, then what it replaced, oldest last; of a variable also the setting behind it.
void explain(const Config& config, const Config& expanded_config, const std::string& key) {
  const Node* node = config.find(key);
  if (node == nullptr) {
    std::vector<std::string> names = setting_names(config);
    const auto near = nearest(key, names);
    throw Error(ErrorKind::usage,
                fmt::format("there is no setting '{}' in the config{}", key,
                            near.empty() ? "" : fmt::format(" (did you mean {}?)", join_or(near))));
  }
  std::cout << key << " = " << shown(*node) << '\n';
  const Node* value = expanded_config.find(key);
  if (value != nullptr && !value->same_value(*node)) {
    std::cout << "  stands for " << shown(*value) << '\n';
  }
  std::cout << "  from " << origin_of(*node) << '\n';
  print_replaced(*node, "  ");
  const std::string behind = setting_behind(config, key);
  if (behind == key) return;
  const Node& set = *config.find(behind);
  std::cout << "  " << behind << " is set by " << origin_of(set) << '\n';
  print_replaced(set, "    ");
}

std::filesystem::path dialect_of(const CommandLine& line) {
  if (!line.has("format")) return line.path("CONFIG");
  const std::string format = line.text("format");
  if (format != "cfg" && format != "toml") {
    throw Error(ErrorKind::usage, fmt::format("--format takes cfg or toml, not '{}'", format));
  }
  return "config." + format;
}

}  // namespace

int run_debug_config(const Words& words) {
  CommandLine line(
      "debug config CONFIG [options]",
      "Checks a config and prints it with all defaults, or every problem with its place.",
      "weft debug config train.cfg --explain training.dropout");
  line.positional("CONFIG", "the config, .cfg or .toml");
  line.flag("resolve", "also build everything that the config names");
  line.flag("interpolate", "print values in the place of variables");
  line.option("explain", "KEY", "print one value and where it comes from");
  line.flag("show-functions,F", "list the functions that the config names in its place");
  line.flag("show-variables,V", "list its variables and their values in its place");
  line.option("format", "DIALECT", "cfg or toml; that of CONFIG by default");
  line.accept_json();
  line.accept_code();
  line.accept_pipelines();
  line.accept_overrides_without_letter();
  if (!line.parse(words)) return 0;
  for (const char* option : {"explain", "show-functions", "show-variables"}) {
    if (!line.has(option) || !line.has("json")) continue;
    throw Error(ErrorKind::usage,
                fmt::format("--{} prints for people; it takes no --json", option));
  }
  const std::filesystem::path dialect = dialect_of(line);
  const Catalogue catalogue = load_catalogue(line);
  Problems problems;
  const Overrides overrides = collect_all_overrides(line.override_words(), problems);
  Config config = load_pipeline_config(input_name(line.path("CONFIG").string()), overrides,
                                       catalogue, problems);
  if (!has_errors(problems)) check_corpora(config, problems);
  if (line.has("resolve") && !has_errors(problems)) check_buildable(config, catalogue, problems);
  if (has_errors(problems)) add_construction_problems(config, catalogue, problems);
  if (!has_errors(problems)) check_written_paths(expanded(config), catalogue, problems);
  const bool readable = !has_errors(problems);
  if (readable) {
    for (Problem& note : language_notes(config, catalogue)) problems.push_back(std::move(note));
  }
  const Config values = readable ? expanded(config) : config;
  const Problems obstacles = readable ? training_obstacles(config, catalogue) : Problems();
  if (line.has("json")) problems.insert(problems.end(), obstacles.begin(), obstacles.end());
  if (line.has("json")) return print_json(line.has("interpolate") ? values : config, problems);
  report_problems(problems);
  if (line.has("explain")) {
    explain(config, values, line.text("explain"));
    return 0;
  }
  const bool shows_functions = line.has("show-functions");
  const bool shows_variables = line.has("show-variables");
  if (shows_variables) print_variables(config, values);
  if (shows_functions) print_functions(values, catalogue);
  if (!shows_variables && !shows_functions) {
    write_config(line.has("interpolate") ? values : config, dialect, "");
  }
  return tell_verdict(obstacles);
}

}  // namespace weft::tools
