#include "tools/commands.h"

#include "tools/command.h"

namespace weft::tools {

const std::vector<Command>& commands() {
  static const std::vector<Command> all = {
      {"train", "train a pipeline", run_train},
      {"evaluate", "score a pipeline", run_evaluate},
      {"init config", "write a starter config", run_init_config},
      {"init fill-config", "write all defaults into a config", run_init_fill_config},
      {"debug config", "check a config and show where its values come from", run_debug_config},
      {"debug diff-config", "what a config changes of the defaults", run_debug_diff_config},
      {"registry", "what a config can name, with parameters and meaning", run_registry},
      {"info", "this build, or a pipeline's card", run_info},
  };
  return all;
}

}  // namespace weft::tools
