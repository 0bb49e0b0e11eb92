#include "tools/commands.h"

#include "tools/command.h"

namespace weft::tools {

const std::vector<Command>& commands() {
  static const auto& all = *new std::vector<Command>{
      {"train", "train a pipeline", run_train},
      {"ray train", "train a pipeline on a Ray cluster", run_ray_train},
      {"pretrain", "train an embedding on raw text, before a pipeline is trained", run_pretrain},
      {"evaluate", "score a pipeline", run_evaluate},
      {"compare", "scores, settings and time of several runs", run_compare},
      {"apply", "annotate documents with a pipeline", run_apply},
      {"predict", "the same as apply", run_apply},
      {"render", "draw entities, spans or dependencies as HTML or SVG", run_render},
      {"calibrate", "fit how sure a pipeline is of its entities", run_calibrate},
#ifdef WEFT_SERVE
      {"serve", "annotate texts that come by HTTP", run_serve},
#endif
      {"tokenize", "cut text into tokens", run_tokenize},
      {"convert", "convert annotated documents between formats", run_convert},
      {"assemble", "put a pipeline together without training", run_assemble},
      {"package", "make a Python package of a pipeline", run_package},
      {"find-threshold", "the score of every threshold of a component", run_find_threshold},
      {"benchmark speed", "words per second of a pipeline", run_benchmark_speed},
      {"benchmark accuracy", "the same as evaluate", run_evaluate},
      {"init config", "write a starter config", run_init_config},
      {"init fill-config", "write all defaults into a config", run_init_fill_config},
      {"init labels", "collect labels from the training data", run_init_labels},
      {"init vectors", "make a pipeline of word vectors in a text file", run_init_vectors},
      {"init nlp", "initialise a config's pipeline and save it untrained", run_init_nlp},
      {"debug config", "check a config and show where its values come from", run_debug_config},
      {"debug diff-config", "what a config changes of the defaults", run_debug_diff_config},
      {"debug model", "layers and parameters of a config's components", run_debug_model},
      {"debug profile", "time of every op, beside the machine's peak", run_debug_profile},
      {"debug data", "faults of the training and development data", run_debug_data},
      {"debug step", "a step of a run once more, after a divergence", run_debug_step},
      {"precision plan", "number formats of a config's ops and parameters", run_precision_plan},
      {"registry", "what a config can name, with parameters and meaning", run_registry},
      {"info", "this build, a pipeline's card, or what became of a run", run_info},
  };
  return all;
}

}  // namespace weft::tools
