// All that a training run is given.
#pragma once

#include <functional>

#include "framework/pipeline/language.h"
#include "framework/pipeline/worker_pool.h"
#include "framework/training/checkpoint.h"
#include "framework/training/memory_budget.h"
#include "framework/training/reader.h"
#include "framework/training/rehearsal.h"
#include "framework/training/run_folder.h"
#include "framework/training/run_progress.h"
#include "framework/training/run_ranks.h"
#include "framework/training/training_settings.h"
#include "registry/value/config.h"

namespace weft {

// The parts of a run. All of them outlive it.
struct TrainingSetup {
  Language& nlp;
  const TrainingSettings& settings;
  const Reader& train_corpus;
  const Reader& dev_corpus;
  WorkerPool& pool;
  RunFolder* folder = nullptr;             // null: nothing is saved
  std::function<bool()> interrupted = {};  // asked after every step and between examples
  const Checkpoint* resumed = nullptr;     // where it goes on; `nlp` is restored already
  const Node* resumed_log = nullptr;       // where the logs of a run stood that starts again
  std::function<void()> ready = {};        // called when all data is read, before a log is opened
  CheckpointSettings checkpoints = {};
  Object data = {};  // data_facts, for checkpoints
  MemoryBudget memory = {};
  RunRanks* ranks = nullptr;        // null: one alone
  bool precision_debug = false;     // see PrecisionSession::always_find_origin
  bool may_replace = false;         // files of loggers that are there already
  bool verbose = false;             // also say what is no more than of interest
  RunProgress* progress = nullptr;  // a line on a terminal; null: none
  Rehearsal* rehearsal = nullptr;   // null: none
  const Config* config = nullptr;   // filled, with its variables: for loggers
};

}  // namespace weft
