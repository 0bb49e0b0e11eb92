// Packed weights of a pipeline that predictions share from one call to the next, as long as the
// weights stay as they are: to pack them is a third of the time of a short text.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "framework/ops/packed_weights.h"
#include "framework/tensor/tensor.h"
#include "registry/base/export.h"

namespace weft {

struct NamedComponent;
class Vectors;

// By any thread.
class WEFT_API PackedCache {
 public:
  PackedCache();
  ~PackedCache();
  PackedCache(const PackedCache&) = delete;
  PackedCache& operator=(const PackedCache&) = delete;

  // Those of all these components and of word vectors. Null where no call before had the same
  // weights, unless this one needs them several times: a single short text is done sooner without.
  std::shared_ptr<PackedWeights> of(std::span<const NamedComponent> pipeline,
                                    const Vectors& vectors, bool needed_several_times);
  // After a call: too many bytes are not kept.
  void bound();
  // They are not kept any more; calls that use them hold them till they end. Gives how many bytes
  // they have.
  std::size_t forget();
  // Those of all pipelines of the process.
  static std::size_t forget_all();

 private:
  // A weight as it was. It is held, so that no other one comes to lie where it does.
  struct Seen {
    Tensor numbers;
    std::uint64_t version;
  };
  bool see(std::span<const NamedComponent> pipeline, const Vectors& vectors);

  std::mutex mutex_;
  std::vector<Seen> seen_;
  std::shared_ptr<PackedWeights> packed_;
};

}  // namespace weft
