#include <iostream>

#include <fmt/format.h>

#include "framework/pipeline/config_difference.h"
#include "registry/value/json.h"
#include "tools/commands.h"
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

}  // namespace

int run_debug_diff_config(const Words& words) {
  CommandLine line("debug diff-config CONFIG",
                   "Shows what a config changes of the defaults (~) and what has none (+).",
                   "weft debug diff-config train.cfg");
  line.positional("CONFIG", "the config, .cfg or .toml");
  line.accept_json();
  line.accept_code();
  line.accept_overrides();
  if (!line.parse(words)) return 0;
  const Catalogue catalogue = load_catalogue(line);
  const Config config = load_config(line, line.path("CONFIG"), catalogue);
  List list;
  for (const ConfigDifference& difference : differences_from_defaults(config, catalogue)) {
    if (line.has("json")) {
      list.push_back(json_of(difference));
    } else {
      std::cout << line_of(difference) << '\n';
    }
  }
  if (line.has("json")) std::cout << to_standard_json(list) << '\n';
  return 0;
}

}  // namespace weft::tools
