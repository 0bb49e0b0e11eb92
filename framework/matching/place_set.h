// Where matches under way stand.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "registry/base/seeded_hash.h"

namespace weft {

// Before an item of a pattern, in a match that began at token `start`.
struct PatternPlace {
  std::uint32_t pattern = 0, item = 0;
  int start = 0;
  bool operator==(const PatternPlace&) const = default;
};

// A set of places that is emptied at every token: in one piece of memory, where a place counts if
// it has the number of this round.
class PlaceSet {
 public:
  // Returns whether it was not there.
  bool insert(const PatternPlace& place) {
    if (2 * (size_ + 1) > slots_.size()) grow();
    Slot& slot = find(place);
    if (slot.round == round_) return false;
    slot = {place, round_};
    ++size_;
    return true;
  }

  void clear() {
    size_ = 0;
    if (++round_ != 0) return;
    slots_.assign(slots_.size(), {});
    round_ = 1;
  }

 private:
  struct Slot {
    PatternPlace place;
    std::uint32_t round = 0;
  };

  // The slot of the place, or the free one that it would take. Items that follow each other are
  // asked for one after the other, so that they lie together.
  Slot& find(const PatternPlace& place) {
    constexpr std::uint32_t kTogether = 8;
    const std::uint64_t items = std::uint64_t{place.pattern} << 32 | place.item / kTogether;
    const std::uint64_t hash =
        seeded_hash(seeded_hash(items) ^ static_cast<std::uint64_t>(place.start));
    std::size_t at = hash * kTogether + place.item % kTogether;
    for (;; ++at) {
      Slot& slot = slots_[at & (slots_.size() - 1)];
      if (slot.round != round_ || slot.place == place) return slot;
    }
  }

  void grow() {
    constexpr std::size_t smallest = 64;  // a power of two, as all sizes are
    const std::vector<Slot> before = std::move(slots_);
    slots_.assign(before.empty() ? smallest : 2 * before.size(), {});
    for (const Slot& slot : before) {
      if (slot.round == round_) find(slot.place) = slot;
    }
  }

  std::vector<Slot> slots_;
  std::size_t size_ = 0;
  std::uint32_t round_ = 1;
};

}  // namespace weft
