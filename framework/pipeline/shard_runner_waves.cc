// The shards of a batch in waves: as many side by side as the memory allows, and one that finds
// none alone, in halves.
#include <algorithm>
#include <utility>

#include "framework/pipeline/memory_estimate.h"
#include "framework/pipeline/out_of_memory.h"
#include "framework/pipeline/shard_memory.h"
#include "framework/pipeline/shard_runner.h"
#include "framework/pipeline/shard_workspace.h"

namespace weft {

// Called in shard order: this fixes the order of every sum of losses.
void ShardRunner::keep_shard(Batch& batch, Workspace& workspace, Losses& losses) {
  for (auto& [name, loss] : workspace.losses) losses[name] += std::exchange(loss, 0.0);
  const auto pipeline = nlp_.pipeline();
  for (std::size_t i = 0; i < pipeline.size(); ++i) {
    batch.kept_by_component[pipeline[i].component.get()].push_back(std::move(workspace.kept[i]));
  }
}

// The first shard's gradients are exchanged for the empty sum, not copied. Shards without a
// gradient are part of the sum too: where they stand decides what is added to what.
void ShardRunner::add_gradients(std::span<Gradients* const> shards, bool is_first) {
  if (is_first && !shards.empty()) {
    std::swap(batch_gradients_, *shards.front());
    shards = shards.subspan(1);
  }
  const std::vector<const Gradients*> others(shards.begin(), shards.end());
  if (!others.empty()) batch_gradients_.add(others, tasks_);
}

// Every shard has a workspace of its own, whichever thread runs it. A shard for which memory runs
// out is marked and tried again later: the others go on.
bool ShardRunner::try_shards(const Batch& batch, std::size_t begin, std::size_t count) {
  while (workspaces_.size() < count) workspaces_.push_back(std::make_unique<Workspace>(nlp_));
  // Watched shards run in order, so that their events come in order.
  const TaskRunner run = observer_ != nullptr ? TaskRunner(run_in_order) : tasks_;
  run(count, [&](std::size_t i) {
    Workspace& workspace = *workspaces_[i];
    workspace.start(nlp_.pipeline().size(), gradients_.kept_as());
    workspace.has_parts = false;
    workspace.out_of_memory =
        !fits_into_memory([&] { run_shard(batch, begin + i, workspace); }, nlp_.formats());
  });
  note_peak(count);
  return std::none_of(workspaces_.begin(), workspaces_.begin() + static_cast<std::ptrdiff_t>(count),
                      [](const auto& workspace) { return workspace->out_of_memory; });
}

void ShardRunner::note_peak(std::size_t count) {
  std::size_t sum = 0;
  for (std::size_t i = 0; i < count; ++i) sum += workspaces_[i]->ctx.arena().peak();
  peak_ = std::max(peak_, sum);
}

std::size_t ShardRunner::scratch_peak() const {
  std::size_t sum = 0;
  scratch_.for_each_idle([&](const Arena& arena) { sum += arena.peak(); });
  return sum;
}

void ShardRunner::release_memory() {
  for (const auto& workspace : workspaces_) workspace->ctx.arena().release();
  scratch_.clear();
}

// Once nothing else holds memory. Gives the number of shards that were made of this one.
std::size_t ShardRunner::run_alone(Batch& batch, std::size_t shard, Workspace& workspace,
                                   const std::function<void(std::size_t)>& finish) {
  bool fits = false;
  pool_.run(1, [&](std::size_t) {
    workspace.start(nlp_.pipeline().size(), gradients_.kept_as());
    fits = fits_into_memory(
        [&] {
          run_shard(batch, shard, workspace);
          workspace.ctx.finish_reads();  // the next part needs the workspace
        },
        nlp_.formats());
  });
  peak_ = std::max(peak_, workspace.ctx.arena().peak());
  workspace.ctx.arena().release();
  if (fits) {
    finish(shard);
    return 1;
  }
  const auto halves = halves_of(batch.shards[shard], lengths_of(batch.examples));
  if (!halves) throw_too_long(*batch.examples[batch.shards[shard].begin]);
  batch.shards[shard] = halves->second;
  batch.shards.insert(batch.shards.begin() + static_cast<std::ptrdiff_t>(shard), halves->first);
  const std::size_t made = run_alone(batch, shard, workspace, finish);
  return made + run_alone(batch, shard + made, workspace, finish);
}

// Shards run in waves: as many at a time as the memory allows by the estimate. After a wave all of
// it is added up. A shard that found no memory is run alone before that: the order of sums is the
// same as without the shortage, but for those within a shard that had to be halved.
void ShardRunner::run_shards(Batch& batch, Losses& losses) {
  const std::vector<std::size_t> lengths = lengths_of(batch.examples);
  const ShardBytes bytes{lengths, options_.memory > 0 ? training_bytes(nlp_) : TrainingBytes(),
                         options_.memory};
  if (!options_.one_shard) batch.shards = cut_to_fit(batch.shards, bytes);
  check_document_sizes(batch, bytes);
  batch_gradients_.clear();
  for (std::size_t begin = 0; begin < batch.shards.size();) {
    const bool is_first = begin == 0;
    const std::size_t count = end_of_wave(batch.shards, begin, bytes) - begin;
    const bool is_whole = count == batch.shards.size();
    if (!try_shards(batch, begin, count) || !is_whole) release_memory();
    std::vector<Gradients*> done;
    for (std::size_t i = 0; i < count; ++i) {
      Workspace& workspace = *workspaces_[i];
      if (workspace.out_of_memory) {
        begin += run_alone(batch, begin, workspace, [&](std::size_t) {
          keep_shard(batch, workspace, losses);
          workspace.take_part();
        });
      } else {
        keep_shard(batch, workspace, losses);
        ++begin;
      }
      done.push_back(&workspace.sum());
    }
    add_gradients(done, is_first);
  }
}

}  // namespace weft
