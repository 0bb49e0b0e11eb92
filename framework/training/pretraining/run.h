// The moving parts of one pretraining run: batches, updates, the table, files.
// Source: spaCy 3.8, `spacy.training.pretrain`; docs/pretraining.md.
#pragma once

#include <chrono>
#include <functional>
#include <iosfwd>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "framework/pipeline/language.h"
#include "framework/pipeline/shard_runner.h"
#include "framework/pipeline/worker_pool.h"
#include "framework/training/log_file.h"
#include "framework/training/pretraining/checkpoint.h"
#include "framework/training/pretraining/held_out.h"
#include "framework/training/pretraining/network.h"
#include "framework/training/pretraining/random_words.h"
#include "framework/training/pretraining/state.h"
#include "framework/training/reader.h"
#include "framework/training/run_folder.h"
#include "framework/training/training_settings.h"

namespace weft {

// The weights that a run ended with, in its folder.
inline constexpr const char* kLastWeights = "model-last.bin";

// The parts of a run. All of them outlive it.
struct PretrainSetup {
  Language& nlp;  // of which only the network is switched on
  PretrainNetwork& network;
  const PretrainingSettings& settings;
  const Reader& corpus;
  const RandomWords& words;
  const HeldOutText* held_out = nullptr;  // null: none
  WorkerPool& pool;
  RunFolder& folder;
  std::uint64_t seed = 0;
  double memory = 0.0;                          // bytes for the passes of an update; 0: no limit
  Object data = {};                             // data_facts, for checkpoints
  const PretrainCheckpoint* resumed = nullptr;  // where it goes on
  std::int64_t first_pass = 0;                  // of a run with the weights of another
  LogFile::Start log_start = LogFile::Start::replace;
  bool skip_last = false;                  // no model-last.bin
  bool json = false;                       // JSON lines instead of the table
  std::function<bool()> interrupted = {};  // asked after every batch
};

class WEFT_API PretrainRun {
 public:
  PretrainRun(const PretrainSetup& setup, std::ostream& out, std::ostream& err);
  ~PretrainRun();

  // To the end of the last pass; whether it got there. However it ends, model-last.bin is written,
  // unless it is to be skipped, and where it is interrupted a checkpoint. Throws Error(diverged)
  // where a loss or a gradient is no number, Error(data) for text that cannot be read.
  bool run();
  const PretrainState& state() const { return state_; }

 private:
  class Pass;
  bool run_passes();
  bool run_pass();
  void update(const std::vector<ExamplePtr>& batch);
  void add_loss(double loss, std::int64_t words);
  void save(const std::string& name, std::int64_t pass, bool measure);
  void save_checkpoint();
  void end_pass();
  void save_last();
  void salvage();
  void note_unmasked(const std::vector<std::uint8_t>& masked);
  double seconds() const;
  Node log_line(std::int64_t pass) const;

  const PretrainSetup& setup_;
  std::ostream& out_;
  std::ostream& err_;
  PretrainState state_;
  OptimizerPtr optimizer_;
  ShardRunner runner_;
  std::unique_ptr<LogFile> log_;
  std::optional<double> dev_loss_;
  bool noted_unmasked_ = false;
  std::int64_t words_at_start_ = 0;
  std::chrono::steady_clock::time_point start_, row_start_;
};

}  // namespace weft
