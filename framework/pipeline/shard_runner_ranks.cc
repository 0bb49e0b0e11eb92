// Shards that are divided among ranks. Each rank keeps its shards apart until all have been
// exchanged: added in the order of the batch they give the bits of one rank.
#include <algorithm>
#include <utility>

#include "framework/nn/run_formats.h"
#include "framework/pipeline/memory_estimate.h"
#include "framework/pipeline/out_of_memory.h"
#include "framework/pipeline/shard_memory.h"
#include "framework/pipeline/shard_workspace.h"

namespace weft {

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

void ShardRunner::run_divided(Batch& batch, Losses& losses) {
  const std::vector<std::size_t> lengths = lengths_of(batch.examples);
  const ShardBytes bytes{lengths, options_.memory > 0 ? training_bytes(nlp_) : TrainingBytes(),
                         options_.memory};
  if (!options_.one_shard) batch.shards = cut_to_fit(batch.shards, bytes);
  const std::vector<Shard> planned = batch.shards;
  piece_count_ = 0;
  std::exception_ptr failure;
  try {
    check_document_sizes(batch, bytes);
    run_own_shards(batch, bytes);
  } catch (...) {
    failure = std::current_exception();
  }
  const std::vector<ShardPiece*> all = exchange_->exchange(
      nlp_, std::span(pieces_).first(piece_count_), gradients_.kept_as(), failure);
  batch_gradients_.clear();
  batch.shards.clear();
  std::size_t wave = planned.empty() ? 0 : end_of_wave(planned, 0, bytes);
  std::vector<Gradients*> done;
  const auto pipeline = nlp_.pipeline();
  for (ShardPiece* piece : all) {
    // Sums are rounded where one rank would round them.
    if (piece->range.begin >= planned[wave - 1].end) {
      add_gradients(done);
      wave = end_of_wave(planned, wave, bytes);
    }
    batch.shards.push_back(piece->range);
    for (const auto& [name, loss] : piece->losses) losses[name] += loss;
    for (std::size_t i = 0; i < pipeline.size(); ++i) {
      auto& kept = batch.kept_by_component[pipeline[i].component.get()];
      kept.push_back(i < piece->kept.size() ? std::move(piece->kept[i]) : std::any());
    }
    done.push_back(&piece->gradients);
  }
  add_gradients(done);
}

}  // namespace weft
