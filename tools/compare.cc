#include <iostream>
#include <vector>

#include "framework/training/compare_runs.h"
#include "registry/base/error.h"
#include "registry/value/json.h"
#include "tools/command_line.h"
#include "tools/commands.h"

namespace weft::tools {

int run_compare(const Words& words) {
  CommandLine line("compare RUN RUN...",
                   "Shows scores, settings that differ and time of several runs side by side.",
                   "weft compare runs/a runs/b runs/c");
  line.positionals("RUN", "folders that `weft train --output` wrote");
  line.accept_json();
  if (!line.parse(words)) return 0;
  std::vector<RunSummary> runs;
  for (const std::string& folder : line.texts("RUN")) runs.push_back(read_run(folder));
  if (runs.size() < 2) throw Error(ErrorKind::usage, "there are fewer than two runs to compare");
  if (line.has("json")) {
    std::cout << to_standard_json(compare_object(runs)) << '\n';
  } else {
    std::cout << compare_text(runs);
  }
  return 0;
}

}  // namespace weft::tools
