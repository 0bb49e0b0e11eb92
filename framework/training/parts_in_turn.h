// Pieces of memory as if they stood one behind the other, read or written from their beginning on.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

namespace weft {

class PartsInTurn {
 public:
  explicit PartsInTurn(std::vector<std::span<std::byte>> parts) : parts_(std::move(parts)) {}

  std::size_t left() const {
    return std::accumulate(parts_.begin() + static_cast<std::ptrdiff_t>(part_), parts_.end(),
                           std::size_t{0},
                           [](std::size_t sum, const auto& part) { return sum + part.size(); }) -
           at_;
  }
  // The next `count` bytes, of which there are as many.
  void take(std::byte* to, std::size_t count) {
    for_each_piece(count, [&](std::byte* piece, std::size_t bytes) {
      std::memcpy(to, piece, bytes);
      to += bytes;
    });
  }
  // Writes them; null: goes on behind them.
  void put(const std::byte* from, std::size_t count) {
    for_each_piece(count, [&](std::byte* piece, std::size_t bytes) {
      if (from == nullptr) return;
      std::memcpy(piece, from, bytes);
      from += bytes;
    });
  }

 private:
  template <class Use>
  void for_each_piece(std::size_t count, Use use) {
    while (count > 0) {
      const std::span<std::byte> part = parts_[part_];
      const std::size_t bytes = std::min(count, part.size() - at_);
      use(part.data() + at_, bytes);
      count -= bytes;
      at_ += bytes;
      if (at_ < part.size()) return;
      ++part_;
      at_ = 0;
    }
  }

  std::vector<std::span<std::byte>> parts_;
  std::size_t part_ = 0, at_ = 0;  // where the next byte is
};

}  // namespace weft
