// How recent chunks were cut. Bounded: when the newer half is full, the older one is dropped.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "framework/text/special_table.h"
#include "registry/base/seeded_hash.h"

namespace weft {

// For one thread at a time.
class ChunkCache {
 public:
  // Chunks that each half holds, and the longest that is kept: some 4 MiB in all at most.
  static constexpr std::size_t kChunks = 16384;
  static constexpr std::size_t kLongest = 64;

  // The pieces of `chunk`, valid until the next call of `add`; nothing if it is not here.
  std::optional<std::span<const TokenPiece>> find(std::string_view chunk);
  // Chunks that are too long are not kept.
  void add(std::string_view chunk, std::span<const TokenPiece> pieces);

 private:
  struct Half {
    struct Place {
      std::uint32_t begin, count;
    };
    std::unordered_map<std::string, Place, SeededHash, std::equal_to<>> places;
    std::vector<TokenPiece> pieces;

    std::optional<std::span<const TokenPiece>> find(std::string_view chunk) const;
  };
  Half newer_, older_;
};

}  // namespace weft
