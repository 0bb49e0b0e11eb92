// The ranks of a training run, as the run and its steps see them. This class is one rank alone, for
// which nothing is to be done; a strategy ([training.distributed]) derives the others from it.
// Source: docs/distributed.md.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>

#include "framework/pipeline/batch.h"
#include "framework/pipeline/language.h"
#include "framework/pipeline/scores.h"
#include "framework/pipeline/worker_pool.h"
#include "framework/precision/ranks.h"
#include "framework/training/gradient_counts.h"
#include "framework/training/optimizer.h"
#include "framework/training/step_gradients.h"
#include "registry/base/export.h"

namespace weft {

class ShardRunner;

// Unless it says otherwise a function is called by all ranks, in the same order.
class WEFT_API RunRanks {
 public:
  explicit RunRanks(std::size_t min_shards = 1) : min_shards_(min_shards) {}
  virtual ~RunRanks();
  RunRanks(const RunRanks&) = delete;
  RunRanks& operator=(const RunRanks&) = delete;

  // Rank 0 logs, writes and scores.
  virtual bool is_root() const { return true; }
  virtual int size() const { return 1; }

  // Before the first step, once the pipeline and the optimizer are what they begin with. Both
  // outlive this.
  virtual void begin(ShardRunner& runner, Optimizer& optimizer);

  // ---- a step
  // Whether the gradients of all ranks are finite. Throws Error(internal) (P040) on all of them
  // where the loss scales of the ranks differ.
  virtual StepGradients agree(StepGradients mine, const RankScale& scale) {
    static_cast<void>(scale);
    return mine;
  }
  // Clips by the common norm (0: not) and steps; every rank has the new weights then. Throws
  // StepError on all ranks, with nothing changed.
  virtual void apply(ShardRunner& runner, Optimizer& optimizer, double most_norm);

  // Once a step is over, applied or not.
  virtual void stepped(std::int64_t step) { static_cast<void>(step); }

  // ---- decisions
  // Whether all ranks have the same weights and losses after each step. Else every rank counts the
  // losses of its own documents, and all meet where `interrupted` says so.
  virtual bool in_step() const { return true; }
  // Whether the run was interrupted on some rank. `meets`: the ranks do something together next,
  // for which they meet. Where they are not in step, an interruption may be told later, to all at
  // once.
  virtual bool interrupted(bool mine, bool meets) {
    static_cast<void>(meets);
    return mine;
  }
  virtual bool as_root(bool mine) { return mine; }  // the root's

  // ---- where all have met
  // Brings the losses of all ranks to rank 0, where each counts its own.
  virtual void gather_losses(Losses& losses) { static_cast<void>(losses); }
  // Of all ranks, since the start; nothing where none can come too late.
  virtual std::optional<GradientCounts> gradient_counts() { return std::nullopt; }

  // ---- between steps
  // Every rank gets the weights that their owners have: after those were exchanged for averages.
  virtual void share_weights() {}
  // Calls `work` on rank 0 alone, however long it takes; the others wait.
  virtual void on_root(const std::function<void()>& work) { work(); }
  // Annotates documents that all ranks hold; on rank 0 all are annotated then, elsewhere some.
  virtual void annotate(const Language& nlp, std::span<Doc* const> docs, WorkerPool& pool) {
    nlp.annotate(docs, pool);
  }
  // The scores of rank 0; nothing where it has none.
  virtual std::optional<Scores> from_root(std::optional<Scores> scores) { return scores; }
  // The state of all parameters, on rank 0; elsewhere of some.
  virtual std::map<std::string, OptimizerState> states(const Optimizer& optimizer) {
    return optimizer.states_on_host();
  }

  // Called by one rank whose run ends by an error. Whether all ranks have the same one; if not, the
  // waits of the others end with it.
  virtual bool fail(const Error& error) noexcept {
    static_cast<void>(error);
    return true;
  }

 protected:
  std::size_t min_shards() const { return min_shards_; }

 private:
  std::size_t min_shards_;
};

// Without state of its own.
WEFT_API RunRanks& one_rank();

}  // namespace weft
