#include "tests/tools/rank_runs.h"

#include <cstdlib>

#include "tests/folders.h"

namespace weft::testing_tools {

const std::string kConfigs = source_path("configs/");

Outcome RanksTest::train_by_mpirun(const RankRun& run, const std::string& output,
                                   int last_step) const {
  std::string command =
      "timeout 200 mpirun --oversubscribe --allow-run-as-root -n 2 " + build_path("bin/weft");
  for (const std::string& word : words_for(run, output, last_step, {"--threads", "1"})) {
    command += " '" + word + "'";
  }
  const std::string told = (folder_ / "mpi.txt").string();
  const int status = std::system((command + " >" + told + " 2>&1").c_str());
  return {status, "", read_text(told)};
}

}  // namespace weft::testing_tools
