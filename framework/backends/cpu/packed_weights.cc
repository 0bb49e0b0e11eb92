#include "framework/backends/cpu/packed_weights.h"

#include "framework/backends/cpu/amx.h"
#include "framework/backends/cpu/tile_strip.h"

namespace weft::cpu {

struct PackedWeights::Entry {
  std::mutex mutex;
  std::uint32_t* words = nullptr;  // null until they are packed
};

PackedWeights::PackedWeights() = default;
PackedWeights::~PackedWeights() = default;

void PackedWeights::forget() {
  entries_.clear();
  memory_.reset();
}

std::int64_t packed_words(const Factor& weights) {
  return cpu::strips_of(weights.lines) * steps_of(weights.depth) * kStepWords;
}

#ifdef WEFT_HAS_AMX

void pack_weights(const Factor& weights, const TaskRunner& run, std::uint32_t* to) {
  const std::int64_t strip = steps_of(weights.depth) * kStepWords;
  run(static_cast<std::size_t>(cpu::strips_of(weights.lines)), [&](std::size_t task) {
    const auto i = static_cast<std::int64_t>(task);
    pack_strip(weights, i * kStripLines, 0, weights.depth, TileRows::pairs, to + i * strip);
  });
}

std::uint32_t* PackedWeights::allocate(const Factor& weights) {
  const std::lock_guard lock(mutex_);
  const auto words = static_cast<std::size_t>(packed_words(weights));
  return static_cast<std::uint32_t*>(memory_.allocate(words * sizeof(std::uint32_t)).data);
}

const std::uint32_t* PackedWeights::strips_of(const Factor& weights, const TaskRunner& run) {
  Entry* entry = nullptr;
  {
    const std::lock_guard lock(mutex_);
    auto& found = entries_[{weights.data, weights.depth_contiguous, weights.lines, weights.depth}];
    if (!found) found = std::make_unique<Entry>();
    entry = found.get();
  }
  const std::lock_guard lock(entry->mutex);
  if (entry->words == nullptr) {
    std::uint32_t* words = allocate(weights);
    pack_weights(weights, run, words);
    entry->words = words;
  }
  return entry->words;
}

#endif

}  // namespace weft::cpu
