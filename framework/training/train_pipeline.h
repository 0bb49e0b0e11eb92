// The whole of `train`: from a config to a trained pipeline.
#pragma once

#include <filesystem>
#include <functional>
#include <iosfwd>
#include <memory>

#include "framework/pipeline/language.h"
#include "framework/training/reader.h"
#include "framework/training/state.h"
#include "registry/functions/catalogue.h"

namespace weft {

struct TrainOptions {
  std::filesystem::path output = {};  // "": nothing is saved
  int threads = 1;                    // never part of a result
  int gpu = -1;                       // the GPU to train on; -1: the CPU
  bool err_is_terminal = false;       // progress bars go to `err`
  // Everything but training: see dry_run.h. The result is printed to `out`, nothing is saved.
  bool dry_run = false;
  std::function<bool()> interrupted = {};  // often; true ends the run
  std::function<void()> started = {};      // called before the first step
  std::filesystem::path resume_from = {};  // a checkpoint to go on from
  bool starts_again = false;  // an earlier run with this output ended before its first checkpoint
  bool precision_debug = false;  // look for the layer of every overflow, not only of repeated ones
  bool verbose = false;          // tell of every growth of the loss scale
  bool overwrite = false;        // files that loggers name may be there already
};

struct TrainedPipeline {
  std::shared_ptr<Language> nlp;
  TrainingState state;
};

// `config` is filled and keeps its variables. Builds and initialises the pipeline, trains it as
// [training] says, and writes what run_folder.h lists below the output. With a checkpoint it goes
// on from there instead; the config may differ from that of the checkpoint where
// check_resumed_config allows it. Throws as build_pipeline, initialize_pipeline, train and
// read_checkpoint do; Error(config) for settings that cannot change, Error(data) for other data.
WEFT_API TrainedPipeline train_pipeline(const Config& config, const Catalogue& catalogue,
                                        const TrainOptions& options, std::ostream& out,
                                        std::ostream& err);

// Builds and initialises the pipeline of a filled config from its training data, without training
// it.
WEFT_API std::shared_ptr<Language> initialized_pipeline(const Config& config,
                                                        const Catalogue& catalogue);

// A corpus of a config by its dotted name ("corpora.train"). Throws Error(config) with all
// problems; a `path` that is not there is one, with its place.
WEFT_API Reader resolve_corpus(const Config& values, const std::string& name,
                               const Catalogue& catalogue);

}  // namespace weft
