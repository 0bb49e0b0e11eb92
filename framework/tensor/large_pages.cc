#include "framework/tensor/large_pages.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <map>
#include <mutex>
#include <set>
#include <utility>

#include <sys/mman.h>
#include <unistd.h>

#include "registry/base/compiler.h"

namespace weft {
namespace {

constexpr std::size_t kAlignment = 64;
constexpr std::size_t kSmallPage = 4096;
constexpr std::size_t kMost = SIZE_MAX / 2;  // of an array: sums of its size do not wrap

// Pages of a region that nobody touched take no memory, so that it may be far larger than the first
// array in it.
constexpr std::size_t kRegion = std::size_t{32} << 20;

std::size_t rounded_up(std::size_t bytes, std::size_t to) {
  return (bytes + to - 1) / to * to;
}

// A stretch of large pages, in pieces one behind the other, some of them in use. Any number of
// arrays may lie in it: a place is found in the logarithm of their number.
class Region {
 public:
  Region(char* begin, std::size_t size)
      : begin_(begin), size_(size), pieces_(one_free(0, size)), gaps_{{size, 0}} {}

  std::size_t size() const { return size_; }
  bool is_unused() const { return pieces_.size() == 1 && !gaps_.empty(); }

  // The smallest gap that is large enough, cut to that length; null where there is none.
  char* take(std::size_t bytes) {
    const auto found = gaps_.lower_bound({bytes, 0});
    if (found == gaps_.end()) return nullptr;
    const auto [length, offset] = *found;
    if (length > bytes) add_gap(offset + bytes, length - bytes);
    Piece& piece = pieces_.find(offset)->second;
    piece.length = bytes;
    piece.gap = gaps_.extract(found);
    return begin_ + offset;
  }

  // Gaps that touch become one. Allocates nothing: arrays may end where memory has.
  void give_back(const char* data) {
    auto piece = pieces_.find(static_cast<std::size_t>(data - begin_));
    Gaps::node_type gap = std::move(piece->second.gap);
    join_next(piece);
    if (piece != pieces_.begin() && !std::prev(piece)->second.in_use()) {
      --piece;
      gaps_.erase({piece->second.length, piece->first});
      piece->second.length += std::next(piece)->second.length;
      pieces_.erase(std::next(piece));
    }
    gap.value() = {piece->second.length, piece->first};
    gaps_.insert(std::move(gap));
  }

 private:
  using Gaps = std::set<std::pair<std::size_t, std::size_t>>;  // the length, and where it begins
  struct Piece {
    std::size_t length;
    Gaps::node_type gap;  // waits here while the piece is in use

    bool in_use() const { return !gap.empty(); }
  };
  using Pieces = std::map<std::size_t, Piece>;  // by where they begin

  static Pieces one_free(std::size_t offset, std::size_t length) {
    Pieces piece;
    piece.emplace(offset, Piece{length, {}});
    return piece;
  }

  // Both or neither: nothing is added that cannot be allocated.
  void add_gap(std::size_t offset, std::size_t length) {
    Pieces piece = one_free(offset, length);
    Gaps gap = {{length, offset}};
    pieces_.merge(piece);
    gaps_.merge(gap);
  }

  void join_next(Pieces::iterator piece) {
    const auto next = std::next(piece);
    if (next == pieces_.end() || next->second.in_use()) return;
    gaps_.erase({next->second.length, next->first});
    piece->second.length += next->second.length;
    pieces_.erase(next);
  }

  char* begin_;
  std::size_t size_;
  Pieces pieces_;
  Gaps gaps_;
};

// All regions, by their addresses.
class Regions {
 public:
  char* take(std::size_t bytes) {
    const std::lock_guard lock(mutex_);
    for (auto& [begin, region] : regions_) {
      if (char* piece = region.take(bytes)) return piece;
    }
    Region* fresh = add(std::max(kRegion, rounded_up(bytes, kLargePage)));
    if (fresh == nullptr) fresh = add(rounded_up(bytes, kLargePage));
    return fresh == nullptr ? nullptr : fresh->take(bytes);
  }

  // One region stays when nothing is left in it: the next array finds its pages there.
  void give_back(char* piece) {
    const std::lock_guard lock(mutex_);
    const auto owner = std::prev(regions_.upper_bound(piece));
    owner->second.give_back(piece);
    if (!owner->second.is_unused()) return;
    const auto unused = std::count_if(regions_.begin(), regions_.end(),
                                      [](const auto& entry) { return entry.second.is_unused(); });
    if (unused == 1 && owner->second.size() == kRegion) return;
    unmap_large_pages(owner->first, owner->second.size());
    regions_.erase(owner);
  }

 private:
  Region* add(std::size_t size) {
    auto* begin = static_cast<char*>(map_large_pages(size));
    return begin == nullptr ? nullptr : &regions_.try_emplace(begin, begin, size).first->second;
  }

  std::mutex mutex_;
  std::map<char*, Region> regions_;
};

// Never destroyed: arrays of static objects are given back while the process ends.
Regions& regions() {
  static auto& all = *new Regions();
  return all;
}

}  // namespace

void* map_large_pages(std::size_t bytes) {
  if (bytes > kMost) return nullptr;
  // The system gives whole small pages, so that up to a large one is cut off before and behind.
  const std::size_t wanted = rounded_up(bytes, kSmallPage), room = wanted + kLargePage;
  void* mapped = ::mmap(nullptr, room, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (mapped == MAP_FAILED) return nullptr;
  char* const begin = static_cast<char*>(mapped);
  const std::size_t before = -reinterpret_cast<std::uintptr_t>(begin) % kLargePage;
  if (before > 0) ::munmap(begin, before);
  ::munmap(begin + before + wanted, room - before - wanted);
  ::madvise(begin + before, wanted, MADV_HUGEPAGE);  // a wish: without it the pages are small
  return begin + before;
}

void unmap_large_pages(void* data, std::size_t bytes) {
  ::munmap(data, rounded_up(bytes, kSmallPage));
}

std::shared_ptr<void> piece_of_large_pages(std::size_t bytes) {
  if (has_address_sanitizer() || bytes > kMost) return nullptr;
  char* piece = regions().take(rounded_up(std::max<std::size_t>(bytes, 1), kAlignment));
  if (piece == nullptr) return nullptr;
  return {piece, [](void* data) { regions().give_back(static_cast<char*>(data)); }};
}

void enlarge_heap_pages() {
#ifdef MADV_COLLAPSE
  constexpr int kCollapse = MADV_COLLAPSE;
#else
  constexpr int kCollapse = 25;  // headers of older systems; their kernels refuse it
#endif
  // Downwards from its end to the first page that is not mapped: systems that cannot collapse give
  // the same error for each, mapped or not.
  auto* page = static_cast<char*>(::sbrk(0));
  page -= reinterpret_cast<std::uintptr_t>(page) % kLargePage;
  unsigned char resident = 0;
  while (::mincore(page -= kLargePage, 1, &resident) == 0) {
    ::madvise(page, kLargePage, kCollapse);
  }
}

}  // namespace weft
