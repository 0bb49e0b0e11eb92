#include "framework/ops/packed_weights.h"

namespace weft {

struct PackedWeights::Entry {
  std::mutex mutex;
  void* memory = nullptr;  // null until they are packed
};

PackedWeights::PackedWeights() = default;
PackedWeights::~PackedWeights() = default;

void PackedWeights::forget() {
  saved_.clear();
  entries_.clear();
  memory_.reset();
}

bool PackedWeights::has(const void* data) {
  const std::lock_guard lock(mutex_);
  const auto first = entries_.lower_bound({data, false, 0, 0});
  return first != entries_.end() && first->first.data == data;
}

std::size_t PackedWeights::bytes() {
  const std::lock_guard lock(mutex_);
  return memory_.in_use();
}

PackedWeights::Saved PackedWeights::saved_for(const void* layer,
                                              const std::function<Saved()>& make) {
  const std::lock_guard lock(mutex_);
  Saved& saved = saved_[layer];
  if (saved == nullptr) saved = make();
  return saved;
}

void* PackedWeights::allocate(std::size_t bytes) {
  const std::lock_guard lock(mutex_);
  return memory_.allocate(bytes).data;
}

const void* PackedWeights::find(const Key& weights, std::size_t bytes, const Pack& pack) {
  Entry* entry = nullptr;
  {
    const std::lock_guard lock(mutex_);
    auto& found = entries_[weights];
    if (!found) found = std::make_unique<Entry>();
    entry = found.get();
  }
  const std::lock_guard lock(entry->mutex);
  if (entry->memory == nullptr) {
    void* memory = allocate(bytes);
    pack(memory);
    entry->memory = memory;
  }
  return entry->memory;
}

}  // namespace weft
