// Pieces of a device's memory that were given back and wait to be given out again. All work runs in
// the order of the stream, so a piece may change hands while the work of its last owner is queued;
// nothing has to be asked of the device.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <map>
#include <mutex>
#include <optional>
#include <utility>

namespace weft::cuda {

// Any thread.
class MemoryPieces {
 public:
  // The bytes that a new piece gets, so that arrays of a like size take each other's place: an
  // eighth more at most, but for the smallest.
  static std::size_t rounded(std::size_t bytes) {
    constexpr std::size_t kLeast = 256, kSteps = 8;
    if (bytes <= kLeast) return kLeast;
    const std::size_t step = std::max(kLeast, std::bit_floor(bytes) / kSteps);
    return (bytes + step - 1) / step * step;
  }

  struct Piece {
    void* memory;
    std::size_t bytes;
  };
  // One that was given back, of that size or little more: small ones may be twice as large.
  std::optional<Piece> take(std::size_t bytes) {
    constexpr std::size_t kSmall = std::size_t{1} << 20;
    const std::lock_guard lock(mutex_);
    const auto found = pieces_.lower_bound(bytes);
    const std::size_t most = bytes <= kSmall ? 2 * rounded(bytes) : rounded(bytes);
    if (found == pieces_.end() || found->first > most) return {};
    const Piece piece{found->second, found->first};
    pieces_.erase(found);
    return piece;
  }
  void give_back(Piece piece) {
    const std::lock_guard lock(mutex_);
    pieces_.emplace(piece.bytes, piece.memory);
  }
  // All of them; none is left.
  std::multimap<std::size_t, void*> take_all() {
    const std::lock_guard lock(mutex_);
    return std::exchange(pieces_, {});
  }

 private:
  std::mutex mutex_;
  std::multimap<std::size_t, void*> pieces_;  // by their bytes
};

}  // namespace weft::cuda
