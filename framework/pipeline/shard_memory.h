// Which shards of a batch run at the same time, so that they fit into memory.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "framework/pipeline/batch.h"
#include "framework/pipeline/memory_estimate.h"
#include "registry/base/export.h"

namespace weft {

// Estimated memory of the documents of a batch.
struct WEFT_API ShardBytes {
  std::span<const std::size_t> lengths;  // of the documents, in tokens
  TrainingBytes each;
  double limit = 0.0;  // of what runs at the same time; 0: none

  double of(const Shard& shard) const;
};

// Shards that would take more than the limit are cut between documents, into parts of like length.
// One document alone is never cut.
WEFT_API std::vector<Shard> cut_to_fit(std::span<const Shard> shards, const ShardBytes& bytes);

// The number behind the last of those shards from `begin` on that run at the same time: as many as
// fit, at least one and at most eight.
WEFT_API std::size_t end_of_wave(std::span<const Shard> shards, std::size_t begin,
                                 const ShardBytes& bytes);

// The two parts of like length that a shard is made of; nothing for a single document.
WEFT_API std::optional<std::pair<Shard, Shard>> halves_of(const Shard& shard,
                                                          std::span<const std::size_t> lengths);

}  // namespace weft
