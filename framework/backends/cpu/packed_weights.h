// Weights in the form that the tile unit wants them, packed once for all shards of a batch.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <tuple>

#include "framework/backends/cpu/tile_panel.h"
#include "framework/ops/task_runner.h"
#include "framework/tensor/storage.h"
#include "registry/export.h"

namespace weft::cpu {

// Words of a right factor whose strips lie one behind the other.
WEFT_API std::int64_t packed_words(const Factor& weights);
// Writes them; `run` may spread the strips over threads.
void pack_weights(const Factor& weights, const TaskRunner& run, std::uint32_t* to);

class WEFT_API PackedWeights {
 public:
  PackedWeights();
  ~PackedWeights();

  // The strips of these weights, found by where their numbers lie and how; packed by the first who
  // asks while the others wait. By any thread. Throws Error(memory).
  const std::uint32_t* strips_of(const Factor& weights, const TaskRunner& run);
  // The weights may have changed: what `strips_of` gave is no longer there. Called while nothing
  // runs.
  void forget();

 private:
  struct Entry;
  // Where the numbers lie, whether along the depth, how many lines, how deep.
  using Key = std::tuple<const float*, bool, std::int64_t, std::int64_t>;
  std::uint32_t* allocate(const Factor& weights);

  std::mutex mutex_;  // of the table and the memory
  Arena memory_;      // in large pages
  std::map<Key, std::unique_ptr<Entry>> entries_;
};

}  // namespace weft::cpu
