#include "framework/text/chunk_cache.h"

#include <utility>

namespace weft {

std::optional<std::span<const TokenPiece>> ChunkCache::Half::find(std::string_view chunk) const {
  const auto found = places.find(chunk);
  if (found == places.end()) return std::nullopt;
  return std::span(pieces).subspan(found->second.begin, found->second.count);
}

std::optional<std::span<const TokenPiece>> ChunkCache::find(std::string_view chunk) {
  if (chunk.size() > kLongest) return std::nullopt;
  if (const auto found = newer_.find(chunk)) return found;
  const auto found = older_.find(chunk);
  if (found) add(chunk, std::vector<TokenPiece>(found->begin(), found->end()));
  return found ? newer_.find(chunk) : std::nullopt;
}

void ChunkCache::add(std::string_view chunk, std::span<const TokenPiece> pieces) {
  if (chunk.size() > kLongest) return;
  if (newer_.places.size() >= kChunks) {
    older_ = std::move(newer_);
    newer_ = {};
  }
  const auto begin = static_cast<std::uint32_t>(newer_.pieces.size());
  newer_.places.insert_or_assign(std::string(chunk),
                                 Half::Place{begin, static_cast<std::uint32_t>(pieces.size())});
  newer_.pieces.insert(newer_.pieces.end(), pieces.begin(), pieces.end());
}

}  // namespace weft
