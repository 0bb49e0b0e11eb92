#include "tools/verdict.h"

#include <iostream>

#include "framework/pipeline/check_config.h"
#include "framework/text/warning_limit.h"
#include "registry/base/error.h"
#include "tools/setup.h"

namespace weft::tools {

int tell_verdict(const Problems& obstacles) {
  std::cout.flush();
  if (obstacles.empty()) {
    std::cerr << "verdict: weft can train this config\n";
    return 0;
  }
  WarningLimit lines(std::cerr, kMostProblems);
  for (const Problem& problem : obstacles) lines.show("obstacles to training", problem.str());
  lines.summarize();
  std::cerr << "verdict: weft cannot train this config, for the reason"
            << (obstacles.size() == 1 ? "" : "s") << " above\n";
  return exit_code(ErrorKind::config);
}

}  // namespace weft::tools
