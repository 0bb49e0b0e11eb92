// Groups a stream of examples into batches. Named by `@batchers`.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "framework/pipeline/component.h"
#include "registry/functions/type.h"

namespace weft {

// Batches one after the other; an empty one is the end.
class WEFT_API BatchStream {
 public:
  virtual ~BatchStream() = default;
  virtual std::vector<ExamplePtr> next() = 0;
};
using BatchStreamPtr = std::unique_ptr<BatchStream>;

// Immutable: only the stream and the counter below change while it runs, so that a run can be
// continued by opening the epoch again and skipping the batches it had taken.
class WEFT_API Batcher {
 public:
  virtual ~Batcher() = default;
  // One pass over `examples`, which outlives the stream. `sizes_taken` counts the batch sizes asked
  // of the schedule since the run began (request number k gives schedule(k)); it goes on over the
  // epochs. A list of sizes begins anew in each pass.
  virtual BatchStreamPtr start(ExampleStream& examples, std::int64_t& sizes_taken) const = 0;
};
using BatcherPtr = std::shared_ptr<const Batcher>;

template <>
struct ProductTraits<BatcherPtr> {
  static constexpr std::string_view kind = "batchers", name = "batcher";
};

}  // namespace weft
