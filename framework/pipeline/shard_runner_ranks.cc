// Shards that are divided among ranks. Sums over shards are made as one rank makes them, as a tree
// over all shards of the batch: each rank the subtrees that it has whole, the rest is made once
// they have been exchanged.
#include <algorithm>
#include <utility>

#include "framework/nn/run_formats.h"
#include "framework/nn/tree_sum.h"
#include "framework/pipeline/memory_estimate.h"
#include "framework/pipeline/out_of_memory.h"
#include "framework/pipeline/shard_memory.h"
#include "framework/pipeline/shard_workspace.h"
#include "framework/precision/element_type.h"
#include "registry/base/error.h"

namespace weft {
namespace {

// Adds up the subtrees of the sum of all shards that this rank has whole, each in the first of its
// shards: one gradient goes to the owners for each, not one for each shard, and the bits of the sum
// stay the same.
void add_subtrees(std::span<Gradients* const> shards, const TaskRunner& tasks) {
  if (shards.size() < 2) return;
  if (std::find(shards.begin(), shards.end(), nullptr) != shards.end()) {
    const std::size_t left = left_of_tree(shards.size());
    add_subtrees(shards.first(left), tasks);
    add_subtrees(shards.subspan(left), tasks);
    return;
  }
  const std::vector<const Gradients*> others(shards.begin() + 1, shards.end());
  shards.front()->add(others, tasks);
  for (Gradients* other : shards.subspan(1)) other->clear();
}

}  // namespace

void ShardRunner::take_piece(const Batch& batch, std::size_t shard, Workspace& workspace) {
  if (pieces_.size() == piece_count_) pieces_.emplace_back();
  ShardPiece& piece = pieces_[piece_count_++];
  piece.range = batch.shards[shard];
  piece.losses = workspace.losses;
  piece.kept = std::move(workspace.kept);
  std::swap(piece.gradients, workspace.gradients);
}

void ShardRunner::run_own_shards(Batch& batch, const ShardBytes& bytes) {
  const std::size_t all = batch.shards.size();
  const Shard own = exchange_->own(all);
  std::size_t end = own.end;
  for (std::size_t begin = own.begin; begin < end;) {
    const std::size_t count = std::min(end, end_of_wave(batch.shards, begin, bytes)) - begin;
    if (!try_shards(batch, begin, count) || count < own.end - own.begin) release_memory();
    for (std::size_t i = 0; i < count; ++i) {
      Workspace& workspace = *workspaces_[i];
      if (!workspace.out_of_memory) {
        take_piece(batch, begin++, workspace);
        continue;
      }
      const std::size_t made = run_alone(
          batch, begin, workspace, [&](std::size_t done) { take_piece(batch, done, workspace); });
      begin += made;
      end += made - 1;
    }
  }
}

// The parts of a shard that was halved are one gradient.
std::vector<Gradients*> ShardRunner::gradients_of(std::span<ShardPiece* const> pieces,
                                                  std::span<const Shard> planned) const {
  std::vector<Gradients*> all(planned.size(), nullptr);
  std::size_t shard = 0;
  for (ShardPiece* piece : pieces) {
    while (shard < planned.size() && piece->range.begin >= planned[shard].end) ++shard;
    if (shard == planned.size()) {
      throw Error(ErrorKind::system, "a rank sent a shard that this batch does not have");
    }
    Gradients*& whole = all[shard];
    if (whole == nullptr) {
      whole = &piece->gradients;
      continue;
    }
    const Gradients* const part[] = {&piece->gradients};
    whole->add(part, tasks_);
    piece->gradients.clear();
  }
  return all;
}

void ShardRunner::run_divided(Batch& batch, Losses& losses) {
  const std::vector<std::size_t> lengths = lengths_of(batch.examples);
  const ShardBytes bytes{lengths, options_.memory > 0 ? training_bytes(nlp_) : TrainingBytes(),
                         options_.memory};
  if (!options_.one_shard) batch.shards = cut_to_fit(batch.shards, bytes);
  const std::vector<Shard> planned = batch.shards;
  const bool is_one_wave = planned.empty() || end_of_wave(planned, 0, bytes) == planned.size();
  piece_count_ = 0;
  std::exception_ptr failure;
  try {
    check_document_sizes(batch, bytes);
    run_own_shards(batch, bytes);
    std::vector<ShardPiece*> own;
    for (std::size_t i = 0; i < piece_count_; ++i) own.push_back(&pieces_[i]);
    // In 16 bits a sum is rounded, once: shards are added where all of them are.
    const bool is_rounded = is_low(gradients_.kept_as());
    const std::vector<Gradients*> shards = gradients_of(own, planned);
    if (is_one_wave && !is_rounded) add_subtrees(shards, tasks_);
  } catch (...) {
    failure = std::current_exception();
  }
  const std::vector<ShardPiece*> all = exchange_->exchange(
      nlp_, std::span(pieces_).first(piece_count_), gradients_.kept_as(), failure);
  batch_gradients_.clear();
  batch.shards.clear();
  const auto pipeline = nlp_.pipeline();
  for (ShardPiece* piece : all) {
    batch.shards.push_back(piece->range);
    for (const auto& [name, loss] : piece->losses) losses[name] += loss;
    for (std::size_t i = 0; i < pipeline.size(); ++i) {
      auto& kept = batch.kept_by_component[pipeline[i].component.get()];
      kept.push_back(i < piece->kept.size() ? std::move(piece->kept[i]) : std::any());
    }
  }
  // Sums are made where one rank would make them: after each wave.
  const std::vector<Gradients*> shards = gradients_of(all, planned);
  for (std::size_t begin = 0; begin < planned.size();) {
    const std::size_t end = end_of_wave(planned, begin, bytes);
    std::vector<Gradients*> there;
    for (std::size_t i = begin; i < end; ++i) {
      if (shards[i] != nullptr) there.push_back(shards[i]);
    }
    add_gradients(there, begin == 0);
    begin = end;
  }
}

}  // namespace weft
