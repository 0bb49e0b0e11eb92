// Losses and gradients of a batch: it is cut into shards, the shards run on any threads, their
// gradients are added as a tree over the shards. The same bytes for every number of threads. On a
// device a batch is one shard: its gradient is the same but for the order of sums.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "framework/nn/gradients.h"
#include "framework/nn/parameter.h"
#include "framework/ops/context.h"
#include "framework/ops/packed_weights.h"
#include "framework/pipeline/frozen.h"
#include "framework/pipeline/language.h"
#include "framework/pipeline/shard_exchange.h"
#include "framework/pipeline/trained_parameters.h"
#include "framework/pipeline/worker_pool.h"
#include "framework/tensor/task_runner.h"

namespace weft {

class MaskSource;
class PassObserver;
struct ShardBytes;

struct ShardRunnerOptions {
  std::uint64_t seed = 0;
  std::vector<std::string> frozen = {};      // components that are not trained
  std::vector<std::string> annotating = {};  // whose predictions later components see
  bool one_shard = false;                    // never cut a batch, as records of the reference need
  // Bytes that shards which run at the same time may take for what a step computes (estimated, see
  // memory_estimate.h); 0: no limit. Shards that would take more are cut between documents. Not on
  // a device, whose stream has its own budget.
  double memory = 0.0;
  std::size_t min_shards = 1;                   // of a batch, as far as it has documents
  std::vector<std::string> frozen_layers = {};  // of components that are trained, see Frozen
};

class WEFT_API ShardRunner {
 public:
  // Both outlive the runner.
  ShardRunner(Language& nlp, WorkerPool& pool, ShardRunnerOptions options);
  ~ShardRunner();

  // Adds the gradients of one batch (or one part of it: `part` counts them within a step) to
  // `gradients()` and gives its losses. `step` counts updates from 0; with `part` it keys all
  // random draws. Documents that annotating components predict on are annotated in place. Where
  // memory runs out, shards run one after the other, and those that still find none in halves: the
  // same gradient, but for the order of sums within a shard that was halved. Throws Error(diverged)
  // where a loss is no number; Error(memory) naming a document that does not fit alone.
  Losses accumulate(std::span<Example* const> examples, double dropout, std::uint64_t step,
                    std::uint64_t part = 0);

  // The same for a rehearsal (rehearsing.h): each component is kept near the tutor's of its name,
  // without dropout. Losses are those of the components that rehearse. On the CPU alone.
  Losses rehearse(std::span<Example* const> examples, const Language& tutor, double weight,
                  std::uint64_t step);

  // The sum since it was cleared.
  Gradients& gradients() { return gradients_; }
  // The components that have read gradients of a scaled loss (Gradients::mark_scaled) since this
  // was last asked.
  std::set<std::string> take_early_readers() { return std::exchange(early_readers_, {}); }

  // The factor of the gradients of the next batches: the loss scale.
  void set_loss_scale(float scale) { loss_scale_ = scale; }
  // While it lives, `observer` watches what runs, one shard after the other.
  class Watch {
   public:
    Watch(ShardRunner& runner, PassObserver& observer) : runner_(runner) {
      runner_.observer_ = &observer;
    }
    ~Watch() { runner_.observer_ = nullptr; }
    Watch(const Watch&) = delete;
    Watch& operator=(const Watch&) = delete;

   private:
    ShardRunner& runner_;
  };

  // From now on shards are divided among the ranks of a run, but for batches that are watched;
  // those run here as a whole. Null: there is one rank. `exchange` outlives the runner.
  void divide(ShardExchange* exchange, std::size_t min_shards) {
    exchange_ = exchange;
    options_.min_shards = min_shards;
  }

  // See ShardRunnerOptions::memory.
  void set_memory(double bytes);
  // Gives back what the passes of the last batch took; the next one takes it anew.
  void release_memory();
  // For ops between the passes, such as those of the optimizer, and the threads they may use.
  // Memory of the context is taken back by `end_step`.
  Context& context() { return ctx_; }
  const TaskRunner& tasks() const { return tasks_; }
  void end_step() { ctx_.end_step(); }
  // The most bytes that the passes of one batch took at the same time so far.
  std::size_t peak() const { return peak_; }
  // The most bytes that all ops together took for casts at the same time so far, on the host.
  std::size_t scratch_peak() const;

  // The parameters in training. The components have to be initialised.
  std::span<const NamedParameter> parameters();

  // From the next update on, other components are left alone or annotate.
  void choose(std::vector<std::string> frozen, std::vector<std::string> annotating);
  // The same for components and layers that are frozen.
  void freeze(Frozen frozen);

  // Replace the random draws, for runners that replay records. Null restores the default.
  void replay_masks(MaskSource* masks) { masks_ = masks; }
  void replay_uniform(std::function<double(std::string_view, double, double)> uniform) {
    uniform_ = std::move(uniform);
  }

 private:
  struct Workspace;
  Batch make_batch(std::span<Example* const> examples, double dropout, std::uint64_t step,
                   std::uint64_t part) const;
  void run_shard(const Batch& batch, std::size_t shard, Workspace& workspace);
  void run_shards(Batch& batch, Losses& losses);
  // The same where they are divided among ranks.
  void run_divided(Batch& batch, Losses& losses);
  void run_own_shards(Batch& batch, const ShardBytes& bytes);
  void take_piece(const Batch& batch, std::size_t shard, Workspace& workspace);
  Losses run_batch(Batch& batch);
  void rehearse_component(const NamedComponent& component, ShardUpdate& update, Slots& slots) const;
  // Runs `count` shards from `begin` on, each in a workspace. Whether all found memory.
  bool try_shards(const Batch& batch, std::size_t begin, std::size_t count);
  void keep_shard(Batch& batch, Workspace& workspace, Losses& losses);
  // Of the shards of one wave; `is_first`: nothing was added to the sum yet.
  void add_gradients(std::span<Gradients* const> shards, bool is_first);
  // Of each planned shard, null where none of its pieces is there.
  std::vector<Gradients*> gradients_of(std::span<ShardPiece* const> pieces,
                                       std::span<const Shard> planned) const;
  // `finish` is called with the number of each shard that is done.
  std::size_t run_alone(Batch& batch, std::size_t shard, Workspace& workspace,
                        const std::function<void(std::size_t)>& finish);
  void note_peak(std::size_t count);
  void collect(Batch& batch);
  bool is_frozen(const NamedComponent& component) const;
  // Whether losses are read once all of a batch is queued.
  bool reads_late() const;
  void read_losses(Losses& losses);

  Language& nlp_;
  WorkerPool& pool_;
  ShardRunnerOptions options_;
  // Of the pool. A shard that runs alone spreads the rows of its layers over the threads with it.
  TaskRunner tasks_;
  PackedWeights packed_;
  ObjectPool<Arena> scratch_;
  // One for each shard that runs at the same time as others, kept between updates.
  std::vector<std::unique_ptr<Workspace>> workspaces_;
  Gradients batch_gradients_;  // of the shards so far
  ShardExchange* exchange_ = nullptr;
  std::vector<ShardPiece> pieces_;  // of this rank; the first `piece_count_` are of this batch
  std::size_t piece_count_ = 0;
  Gradients gradients_;
  std::set<std::string> early_readers_;
  std::size_t peak_ = 0;
  std::vector<NamedParameter> parameters_;  // empty until asked for
  Context ctx_;                             // between the passes
  MaskSource* masks_ = nullptr;
  float loss_scale_ = 1.0F;
  PassObserver* observer_ = nullptr;
  const Language* tutor_ = nullptr;  // while it rehearses
  double rehearsal_weight_ = 0.0;
  std::function<double(std::string_view, double, double)> uniform_;
};

}  // namespace weft
