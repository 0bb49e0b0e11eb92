#include "framework/text/chunk_table.h"

#include <utility>

namespace weft {

ChunkTable::Entry ChunkTable::add(const ChunkKey& key, std::span<const TokenWord> tokens,
                                  std::span<const std::uint32_t> numbers, bool flagged) {
  Entry entry;
  entry.key = key;
  entry.first = static_cast<std::uint32_t>(tokens_.size());
  entry.count = static_cast<std::uint32_t>(tokens.size()) & 0x7FFFFFFF;
  entry.flagged = flagged ? 1 : 0;
  tokens_.insert(tokens_.end(), tokens.begin(), tokens.end());
  numbers_.insert(numbers_.end(), numbers.begin(), numbers.end());
  if (key.empty()) return entry;
  if (2 * (taken_ + 1) > entries_.size()) grow();
  taken_ += 1;
  return entries_[place_of(key)] = entry;
}

void ChunkTable::grow() {
  const std::vector<Entry> old = std::exchange(entries_, std::vector<Entry>(2 * entries_.size()));
  shift_ -= 1;
  for (const Entry& entry : old) {
    if (entry.count != 0) entries_[place_of(entry.key)] = entry;
  }
}

void ChunkTable::forget() {
  *this = ChunkTable();
}

}  // namespace weft
