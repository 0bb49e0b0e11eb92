// All that the rest of a pretraining run depends on, as a folder: state.json,
// optimizer.safetensors, and `model`, the weights of embedding and head as the last update left
// them. Source: docs/pretraining.md, "Resuming".
#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "framework/nn/model.h"
#include "framework/training/checkpoint_files.h"
#include "framework/training/pretraining/state.h"
#include "registry/base/export.h"
#include "registry/value/config.h"

namespace weft {

struct PretrainCheckpoint {
  PretrainState state;
  std::int64_t schedule_step = 0;  // of the optimizer
  OptimizerStates optimizer;
  Node log;     // LogFile::position
  Object data;  // data_facts of the corpora
};

// Writes the files into `folder`, which exists. Throws Error(system), Error(data).
WEFT_API void write_pretrain_checkpoint(const PretrainCheckpoint& checkpoint, const Model& network,
                                        const std::filesystem::path& folder);

// Throws Error(usage) where there is none, Error(data) where a file is damaged, which its hash
// shows, or where it is another program's or a training run's.
WEFT_API PretrainCheckpoint read_pretrain_checkpoint(const std::filesystem::path& folder);

// The weights of a checkpoint that was read. Throws Error(data).
WEFT_API void restore_network(const std::filesystem::path& folder, Model& network);

}  // namespace weft
