// All that the rest of a training run depends on, as a folder:
//
//   state.json             counters, score history, places in data and log, hashes;
//                          below it, its own hash
//   optimizer.safetensors  moments and averages of each parameter
//   pipeline/              the pipeline with the parameters of the last step, not the averages
//
// Random draws need no state: they are keyed by seed, step and site. Source: docs/reliability.md.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>

#include "framework/pipeline/language.h"
#include "framework/training/optimizer.h"
#include "framework/training/state.h"
#include "registry/base/export.h"
#include "registry/value/config.h"

namespace weft {

// The pipeline that a rehearsal learns from, in the folder of a checkpoint.
inline constexpr const char* kTutorOfCheckpoint = "tutor";

struct Checkpoint {
  TrainingState training;
  std::int64_t schedule_step = 0;                   // of the optimizer
  std::map<std::string, OptimizerState> optimizer;  // by the names of parameters
  Object components;                                // training_state of each that has one
  Node log;                                         // LogSession::position
  Object meta;                                      // of the pipeline, with its last scores
  Object data;                                      // data_facts of the corpora
  Node precision;                                   // PrecisionSession::state
  Node loss_history = {};                           // LossHistory::to_node
  Node rehearsal = {};                              // Rehearsal::state; null: none
  std::filesystem::path folder = {};                // that it was read from
};

// Writes the files into `folder`, which exists. Throws Error(system).
WEFT_API void write_checkpoint(const Checkpoint& checkpoint, const Language& nlp,
                               const std::filesystem::path& folder);

// Whether a checkpoint stands there: a folder with a state.json.
WEFT_API bool is_checkpoint(const std::filesystem::path& folder);

// Throws Error(usage) where there is none, Error(data) where a file is damaged, which its hash
// shows, or made by a newer version.
WEFT_API Checkpoint read_checkpoint(const std::filesystem::path& folder);

// The filled config of the run, variables kept, as a file. Throws Error(data) where it is missing
// or not as it was written.
WEFT_API std::filesystem::path config_of_checkpoint(const std::filesystem::path& folder);

// Gives a pipeline that was built from the run's config the parameters, labels and strings of the
// checkpoint. Throws Error(data).
WEFT_API void restore_pipeline(const Checkpoint& checkpoint, const std::filesystem::path& folder,
                               Language& nlp);

// Puts moments, averages and counters into the optimizer. Throws Error(data) for those of a
// parameter that is not there.
WEFT_API void restore_optimizer(const Checkpoint& checkpoint,
                                std::span<const NamedParameter> parameters, Optimizer& optimizer);

}  // namespace weft
