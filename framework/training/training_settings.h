// The sections of a config that describe a training run: [training], [pretraining].
// Their `fields` are the schemas; source: docs/training.md, "Sections".
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "framework/pipeline/callback.h"
#include "framework/precision/policy.h"
#include "framework/training/batcher.h"
#include "framework/training/distributed_strategy.h"
#include "framework/training/freeze_schedule.h"
#include "framework/training/logger.h"
#include "framework/training/optimizer.h"
#include "framework/training/pretraining_objective.h"
#include "registry/functions/fields.h"

namespace weft {

// [training.checkpoints]: when the state of the run is saved, besides each evaluation and the end.
struct CheckpointSettings {
  std::int64_t every_steps = 0;
  double every_minutes = 0.0;
  std::int64_t keep_last = 1;
};

template <class V>
void fields(V& v, CheckpointSettings& c) {
  v("every_steps", c.every_steps, "save after each so many steps; 0 = with evaluations only",
    strict, at_least(0));
  v("every_minutes", c.every_minutes, "save when so much time has passed; 0 = no matter", strict,
    at_least(0.0));
  v("keep_last", c.keep_last, "checkpoints kept: the newest and those before it", strict,
    at_least(1));
}

// [training.unfreeze]: when entries of frozen_components are trained after all.
struct UnfreezeSettings {
  std::vector<std::string> names;
  std::vector<std::int64_t> steps;
};

template <class V>
void fields(V& v, UnfreezeSettings& c) {
  v.required("names", c.names, "entries of frozen_components that are trained later", strict);
  v.required("steps", c.steps, "the first step that trains each", strict, at_least(0));
}

// [training.rehearsal]: what sourced components knew is rehearsed while they learn more.
struct RehearsalSettings {
  std::string corpus;
  std::int64_t every = 1;
  double weight = 1.0;
  std::optional<double> max_drop;
};

template <class V>
void fields(V& v, RehearsalSettings& c) {
  v.required("corpus", c.corpus, "dotted name of texts that the old labels are rehearsed on",
             strict);
  v("every", c.every, "steps from one rehearsal to the next", strict, at_least(1));
  v("weight", c.weight, "factor of its gradient beside that of the training data", strict,
    at_least(0.0));
  v("max_drop", c.max_drop,
    "points of F that an old label may lose; more ends the run with exit code 6; null: no limit",
    strict, at_least(0.0));
}

struct TrainingSettings {
  std::string train_corpus;  // dotted names, not variables
  std::string dev_corpus;
  BatcherPtr batcher;
  OptimizerPtr optimizer;
  Logger logger;
  double dropout = 0.1;
  std::int64_t patience = 1600;
  std::int64_t max_epochs = 0;
  std::int64_t max_steps = 20000;
  std::int64_t eval_frequency = 200;
  std::int64_t accumulate_gradient = 1;
  std::int64_t shuffle_window = 0;
  std::optional<std::int64_t> seed = 0;
  std::optional<std::string> gpu_allocator;
  Object score_weights;  // name -> weight or null, in the order of the table
  std::vector<std::string> frozen_components;
  std::vector<std::string> annotating_components;
  std::optional<Callback> before_to_disk;
  std::optional<Callback> before_update;
  PrecisionPolicy precision;
  std::optional<DistributedStrategy> distributed;
  Object checkpoints;            // checked as CheckpointSettings, its own schema
  Object rehearsal;              // checked as RehearsalSettings, its own schema; empty: none
  Object unfreeze;               // checked as UnfreezeSettings, its own schema
  FreezeSchedule freezing = {};  // of frozen_components and unfreeze; see resolve_freezing
};

template <class V>
void fields(V& v, TrainingSettings& c) {
  v.required("train_corpus", c.train_corpus, "dotted name of the training corpus", strict);
  v.required("dev_corpus", c.dev_corpus, "dotted name of the corpus to evaluate on", strict);
  v.required("batcher", c.batcher, "groups examples into batches");
  v.required("optimizer", c.optimizer, "changes the parameters");
  v.required("logger", c.logger, "reports the run");
  v("dropout", c.dropout, "share of activations set to zero", strict, range(0.0, 1.0));
  v("patience", c.patience, "steps without a better score before it stops; 0 = no limit", strict,
    at_least(0));
  v("max_epochs", c.max_epochs,
    "passes over the data; 0 = no limit, -1 = no limit, streamed and not shuffled", strict,
    at_least(-1));
  v("max_steps", c.max_steps, "number of the last step; 0 or -1 = no limit", strict, at_least(-1));
  v("eval_frequency", c.eval_frequency, "steps from one evaluation to the next", strict,
    at_least(1));
  v("accumulate_gradient", c.accumulate_gradient, "parts of a batch that are trained one by one",
    strict, at_least(1));
  v("shuffle_window", c.shuffle_window,
    "with max_epochs = -1: examples held to draw the next one from; 0: in the corpus's order",
    strict, at_least(0), not_filled);
  v("seed", c.seed, "seed of all random numbers", strict);
  v("gpu_allocator", c.gpu_allocator, "allocator of another library", strict,
    Ignored{"GPU memory is managed by weft itself"});
  v("score_weights", c.score_weights, "weight of each score in the main one; null = not reported",
    Type::dict(Type::optional(Type::floating())).strict());
  v("frozen_components", c.frozen_components,
    "components and layers that are not trained: names and globs, \"ner\", \"tok2vec.embed.*\"");
  v("annotating_components", c.annotating_components,
    "components whose predictions later ones see while training");
  v("before_to_disk", c.before_to_disk, "called before each save");
  v("before_update", c.before_update, "called before each step");
  v.block("precision", c.precision, "[precision]\n@precision = \"amp.v1\"\n",
          "number formats; absent means O0");
  v("distributed", c.distributed, "how several ranks train together; absent means sync.v1",
    not_filled);
  v("checkpoints", c.checkpoints, "when the state of the run is saved");
  v("rehearsal", c.rehearsal, "rehearsal of what sourced components knew", not_filled);
  v("unfreeze", c.unfreeze, "when entries of frozen_components are trained after all", not_filled);
}

// Pretraining of an embedding on raw text (docs/pretraining.md). The names of component and layer
// also say what [initialize] init_tok2vec loads.
struct PretrainingSettings {
  std::int64_t max_epochs = 0;
  double dropout = 0.0;
  std::optional<std::int64_t> n_save_every;
  std::optional<std::int64_t> n_save_epoch;
  OptimizerPtr optimizer;
  std::string corpus;
  BatcherPtr batcher;
  std::string component;
  std::string layer;
  PretrainObjectivePtr objective;
  std::optional<std::string> dev_corpus;
};

template <class V>
void fields(V& v, PretrainingSettings& c) {
  v.required("max_epochs", c.max_epochs, "passes over the text", strict, at_least(0));
  v.required("dropout", c.dropout, "share of activations set to zero", strict, range(0.0, 1.0));
  v.required("n_save_every", c.n_save_every, "batches from one save to the next; null or 0: none",
             strict, at_least(0));
  v.required("n_save_epoch", c.n_save_epoch, "passes from one save to the next; null or 0: each",
             strict, at_least(0));
  v.required("optimizer", c.optimizer, "changes the parameters");
  v.required("corpus", c.corpus, "dotted name of the text", strict);
  v.required("batcher", c.batcher, "groups texts into batches");
  v.required("component", c.component, "the component that is pretrained");
  v.required("layer", c.layer, "the part of its model; empty: all of it");
  v.required("objective", c.objective, "what the embedding learns to predict");
  v("dev_corpus", c.dev_corpus, "dotted name of text for a loss that is not trained on; null: none",
    strict, not_filled);
}

}  // namespace weft
