// Weights packed for the GEMM kernels of this machine, once for all shards of a batch, or for all
// groups of documents in a prediction. A backend says how it packs. Other results that follow from
// the weights alone are kept beside them for as long.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <tuple>

#include "framework/tensor/storage.h"
#include "registry/base/export.h"

namespace weft {

class WEFT_API PackedWeights {
 public:
  using Pack = std::function<void(void*)>;
  // A matrix of weights: where its numbers lie, and how.
  struct Key {
    const void* data;
    bool depth_contiguous;  // whether the numbers of a line lie side by side
    std::int64_t lines, depth;

    friend bool operator<(const Key& a, const Key& b) {
      return std::tie(a.data, a.depth_contiguous, a.lines, a.depth) <
             std::tie(b.data, b.depth_contiguous, b.lines, b.depth);
    }
  };

  PackedWeights();
  ~PackedWeights();

  // These weights in so many bytes, aligned to 64. The first caller packs them while the others
  // wait. By any thread. Throws Error(memory).
  const void* find(const Key& weights, std::size_t bytes, const Pack& pack);
  // Whether weights that lie there are packed. The kernels that do so compute a row of a GEMM
  // alike whatever rows are beside it.
  bool has(const void* data);

  // Of the copies that `find` gave. By any thread.
  std::size_t bytes();

  // Results that a layer keeps from one pass to the next, by its address. The first caller makes it
  // while the others wait. By any thread.
  using Saved = std::shared_ptr<void>;
  Saved saved_for(const void* layer, const std::function<Saved()>& make);

  // The weights may have changed: the copies that `find` gave are gone, and what layers kept.
  // Called while nothing runs.
  void forget();

 private:
  struct Entry;
  void* allocate(std::size_t bytes);

  std::mutex mutex_;  // of the tables and the memory
  Arena memory_;      // in large pages
  std::map<Key, std::unique_ptr<Entry>> entries_;
  std::map<const void*, Saved> saved_;
};

}  // namespace weft
