#include "framework/matching/phrase_trie.h"

#include <algorithm>
#include <utility>

#include "registry/base/error.h"
#include "registry/base/seeded_hash.h"

namespace weft {

PhraseTrie::PhraseTrie() : edges_(16), ends_{kNoKey} {}

std::size_t PhraseTrie::slot_of(Node node, StringId value) const {
  return folded_product(seeded_hash(value), kHashSeeds.second ^ node) & (edges_.size() - 1);
}

std::span<const std::uint32_t> PhraseTrie::keys(Node node) const {
  const std::uint32_t& end = ends_[node];
  if (end == kNoKey) return {};
  if ((end & kSeveral) != 0) return several_[end & ~kSeveral];
  return {&end, 1};
}

void PhraseTrie::add(std::span<const StringId> values, std::uint32_t key) {
  Node node = kRoot;
  for (const StringId value : values) {
    const Node known = next(node, value);
    if (known != kNone) {
      node = known;
      continue;
    }
    if (ends_.size() >= kSeveral) throw Error(ErrorKind::data, "there are too many phrases");
    if (5 * (count_ + 1) > 4 * edges_.size()) grow();
    std::size_t slot = slot_of(node, value);
    while (edges_[slot].to != kNone) slot = (slot + 1) & (edges_.size() - 1);
    const auto made = static_cast<Node>(ends_.size());
    edges_[slot] = {value, node, made};
    ++count_;
    ends_.push_back(kNoKey);
    node = made;
  }
  std::uint32_t& end = ends_[node];
  if (end == kNoKey) {
    end = key;
  } else if ((end & kSeveral) == 0) {
    if (end == key) return;
    several_.push_back({end, key});
    end = kSeveral | static_cast<std::uint32_t>(several_.size() - 1);
  } else {
    add_to_several(end & ~kSeveral, key);
  }
}

// A long list is not searched: a million keys may have one phrase.
void PhraseTrie::add_to_several(std::uint32_t place, std::uint32_t key) {
  constexpr std::size_t kShort = 16;
  std::vector<std::uint32_t>& list = several_[place];
  const auto member = [place](std::uint32_t of) { return std::uint64_t{place} << 32 | of; };
  if (list.size() < kShort) {
    if (std::find(list.begin(), list.end(), key) == list.end()) list.push_back(key);
    if (list.size() < kShort) return;
    for (const std::uint32_t of : list) in_long_lists_.insert(member(of));
    return;
  }
  if (in_long_lists_.insert(member(key)).second) list.push_back(key);
}

void PhraseTrie::grow() {
  std::vector<Edge> old(edges_.size() * 2);
  std::swap(old, edges_);
  for (const Edge& edge : old) {
    if (edge.to == kNone) continue;
    std::size_t slot = slot_of(edge.from, edge.value);
    while (edges_[slot].to != kNone) slot = (slot + 1) & (edges_.size() - 1);
    edges_[slot] = edge;
  }
}

std::size_t PhraseTrie::bytes() const {
  return edges_.size() * sizeof(Edge) + ends_.capacity() * sizeof(std::uint32_t) +
         several_.capacity() * sizeof(std::vector<std::uint32_t>) +
         in_long_lists_.size() * 2 * sizeof(std::uint64_t);
}

}  // namespace weft
