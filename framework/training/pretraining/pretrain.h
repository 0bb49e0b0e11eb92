// The whole of `pretrain`: from a config to pretrained weights of an embedding.
// Source: spaCy 3.8, `spacy pretrain`; docs/pretraining.md.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <iosfwd>
#include <memory>
#include <optional>

#include "framework/pipeline/language.h"
#include "framework/training/pretraining/network.h"
#include "framework/training/pretraining/state.h"
#include "framework/training/training_settings.h"
#include "registry/base/export.h"
#include "registry/functions/catalogue.h"

namespace weft {

struct PretrainOptions {
  std::filesystem::path output;
  int threads = 1;                              // never part of a result
  bool resume = false;                          // from output/checkpoint, to the same bytes
  std::filesystem::path weights = {};           // of an earlier run, to begin with; "": fresh ones
  std::optional<std::int64_t> first_pass = {};  // with weights: the pass that comes next
  bool skip_last = false;                       // no model-last.bin
  bool json = false;                            // JSON lines instead of the table
  std::function<bool()> interrupted = {};       // often; true ends the run
  std::function<void()> started = {};           // called before the first batch
};

struct PretrainResult {
  PretrainState state;
  bool finished = false;  // false: it was interrupted
};

// `config` is filled and keeps its variables. Writes modelN.bin, model-last.bin, log.jsonl,
// config.cfg and a checkpoint below the output. Throws Error(config) with all problems,
// Error(usage) for weights that are not there or do not tell their pass, and as PretrainRun::run.
WEFT_API PretrainResult pretrain(const Config& config, const Catalogue& catalogue,
                                 const PretrainOptions& options, std::ostream& out,
                                 std::ostream& err);

// Whether a run that begins with those weights of an earlier one goes on in its folder.
WEFT_API bool goes_on_there(const std::filesystem::path& weights,
                            const std::filesystem::path& output);

// The pass after the one that the name of a weights file tells of: 3 for "model2.bin".
WEFT_API std::optional<std::int64_t> pass_after(const std::filesystem::path& weights);

// The pipeline of the config with its vocabulary and vectors; its components are switched off.
WEFT_API std::shared_ptr<Language> pretrain_language(const Config& config,
                                                     const Catalogue& catalogue);

// Adds the network of [pretraining] as the last component, initialised. Throws Error(config) where
// the pipeline has no layer of that kind.
WEFT_API std::shared_ptr<PretrainNetwork> add_pretrain_network(Language& nlp,
                                                               const PretrainingSettings& settings,
                                                               std::uint64_t seed);

// [pretraining] of a config without variables. Throws Error(config) where it is empty or wrong.
WEFT_API PretrainingSettings pretraining_settings(const Config& values, const Catalogue& catalogue);

}  // namespace weft
