// Weights in the form that the machine's way to compute products wants them, packed once for all
// shards of a batch, or for all groups of documents in a prediction.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <tuple>

#include "framework/backends/cpu/factor.h"
#include "framework/backends/cpu/packing.h"
#include "framework/ops/work_sharing.h"
#include "framework/tensor/storage.h"
#include "registry/base/export.h"

namespace weft::cpu {

class WEFT_API PackedWeights {
 public:
  using Pack = std::function<void(void*)>;

  PackedWeights();
  ~PackedWeights();

  // These weights in so many bytes, aligned to 64. They are found by where their numbers lie and
  // how; the first who asks packs them while the others wait. By any thread. Throws Error(memory).
  const void* find(const Factor& weights, std::size_t bytes, const Pack& pack);
  // The weights may have changed: what `find` gave is no longer there. Called while nothing runs.
  void forget();

 private:
  struct Entry;
  // Where the numbers lie, whether along the depth, how many lines, how deep.
  using Key = std::tuple<const float*, bool, std::int64_t, std::int64_t>;
  void* allocate(std::size_t bytes);

  std::mutex mutex_;  // of the table and the memory
  Arena memory_;      // in large pages
  std::map<Key, std::unique_ptr<Entry>> entries_;
};

// Shared with the passes beside this one where they share anything, else packed for this thread,
// which keeps them until it packs others. Threads that are idle help. Throws Error(memory).
const void* packed_weights(const Factor& weights, const Packing& packing,
                           const WorkSharing& sharing);

}  // namespace weft::cpu
