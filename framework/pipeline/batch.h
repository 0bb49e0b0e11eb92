// One batch of examples on its way through the pipeline, and the shards it is cut into.
//
// How a batch is cut depends on the batch and the memory budget alone; shards may run on any thread
// in any order, and their gradients are added in an order that follows from the shards. So every
// number of threads gives the same bytes.
#pragma once

#include <any>
#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "registry/base/export.h"

namespace weft {

class Component;
class Context;
class Gradients;
class Slots;
class Example;

// Component name -> loss, summed over whatever the holder covers.
using Losses = std::map<std::string, double>;

// Examples [begin, end) of a batch.
struct Shard {
  std::size_t begin = 0;
  std::size_t end = 0;
  bool operator==(const Shard&) const = default;
};

// Cuts documents of these lengths (in tokens) into consecutive shards: one for each 256 tokens,
// rounded to a power of two, at most 8 and at most one per document; each near the same number of
// rows, padding between documents included. At least `least` shards, as far as there are documents.
WEFT_API std::vector<Shard> cut_into_shards(std::span<const std::size_t> lengths,
                                            std::size_t least = 1);

// State that all shards of a batch share. Lives until `end_batch`.
struct WEFT_API Batch {
  std::span<Example* const> examples;  // all of them, in order
  std::vector<Shard> shards;
  std::uint64_t seed = 0;  // of the run
  std::uint64_t step = 0;  // update number; with the sub-batch it keys every random draw
  std::uint64_t sub_batch = 0;
  double dropout = 0.0;

  // A uniform number in [low, high) for a decision that concerns the whole batch; `site` names it.
  // Counter-based by default; a runner that replays records puts its own here.
  std::function<double(std::string_view site, double low, double high)> uniform;

  // Called before a component changes parameters in `begin_batch`: the host's numbers become those
  // that a device has trained. Empty: they are.
  std::function<void()> copy_weights_to_host;

  // Valid in `end_batch`: where to compute what is added to gradients.
  Context* ctx = nullptr;
  // Valid in `end_batch`: gradients of this batch, summed over the shards. Components may add to
  // them what is known only for the whole batch.
  Gradients* gradients = nullptr;

  // Valid in `end_batch`: what `component` kept in each shard (see ShardUpdate::keep), empty where
  // it kept nothing.
  const std::any& kept(const Component& component, std::size_t shard) const;

  std::map<const Component*, std::vector<std::any>> kept_by_component;  // filled by the pipeline
};

// One shard of a batch, as a component trains on it. One thread at a time.
struct ShardUpdate {
  Context& ctx;  // of this shard: pass `train`, its gradient sink, its random numbers
  const Batch& batch;
  std::size_t shard;  // its number in the batch
  std::span<Example* const> examples;
  Slots& slots;
  Losses& losses;  // of this shard: `losses[name()] += …`
  // Anything this component wants to see again in `end_batch`. Memory of the context may have been
  // taken back by then.
  std::any& keep;
};

}  // namespace weft
