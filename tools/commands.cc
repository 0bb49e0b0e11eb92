#include "tools/commands.h"

#include "tools/command.h"

namespace weft::tools {

const std::vector<Command>& commands() {
  static const std::vector<Command> all = {
      {"train", "train a pipeline", run_train},
      {"evaluate", "score a pipeline", run_evaluate},
      {"apply", "annotate documents with a pipeline", run_apply},
      {"predict", "the same as apply", run_apply},
      {"tokenize", "cut text into tokens", run_tokenize},
      {"convert", "convert annotated documents between formats", run_convert},
      {"assemble", "put a pipeline together without training", run_assemble},
      {"benchmark speed", "words per second of a pipeline", run_benchmark_speed},
      {"benchmark accuracy", "the same as evaluate", run_evaluate},
      {"init config", "write a starter config", run_init_config},
      {"init fill-config", "write all defaults into a config", run_init_fill_config},
      {"init labels", "collect labels from the training data", run_init_labels},
      {"debug config", "check a config and show where its values come from", run_debug_config},
      {"debug diff-config", "what a config changes of the defaults", run_debug_diff_config},
      {"debug model", "layers and parameters of a config's components", run_debug_model},
      {"debug profile", "time of every op, beside the machine's peak", run_debug_profile},
      {"debug data", "faults of the training and development data", run_debug_data},
      {"debug step", "a step of a run once more, after a divergence", run_debug_step},
      {"precision plan", "number formats of a config's ops and parameters", run_precision_plan},
      {"registry", "what a config can name, with parameters and meaning", run_registry},
      {"info", "this build, or a pipeline's card", run_info},
  };
  return all;
}

}  // namespace weft::tools
