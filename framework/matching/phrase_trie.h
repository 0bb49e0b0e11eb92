// Sequences of values as a tree whose edges lie in one table: 16 bytes an edge and 4 a node.
#pragma once

#include <cstdint>
#include <span>
#include <unordered_set>
#include <vector>

#include "framework/text/symbols.h"
#include "registry/base/export.h"
#include "registry/base/seeded_hash.h"

namespace weft {

class WEFT_API PhraseTrie {
 public:
  using Node = std::uint32_t;
  static constexpr Node kRoot = 0;
  static constexpr Node kNone = 0xFFFFFFFF;

  PhraseTrie();
  // The node behind `node` by that value, or kNone.
  Node next(Node node, StringId value) const {
    for (std::size_t slot = slot_of(node, value);; slot = (slot + 1) & (edges_.size() - 1)) {
      const Edge& edge = edges_[slot];
      if (edge.to == kNone) return kNone;
      if (edge.value == value && edge.from == node) return edge.to;
    }
  }
  // The keys of the sequence that ends in the node, in the order of adding.
  std::span<const std::uint32_t> keys(Node node) const;
  // Adds a sequence that is not empty for a key; once if it is there already. Throws Error(data)
  // beyond 2^31 nodes.
  void add(std::span<const StringId> values, std::uint32_t key);
  // Its memory, in bytes.
  std::size_t bytes() const;

 private:
  struct Edge {
    StringId value = 0;
    Node from = 0, to = kNone;  // kNone: the place is free
  };
  static constexpr std::uint32_t kNoKey = 0xFFFFFFFF, kSeveral = 0x80000000;

  std::size_t slot_of(Node node, StringId value) const;
  void grow();
  void add_to_several(std::uint32_t place, std::uint32_t key);

  std::vector<Edge> edges_;  // open addressing, a power of two
  std::size_t count_ = 0;
  std::vector<std::uint32_t> ends_;  // by node: its key, or a place in several_
  std::vector<std::vector<std::uint32_t>> several_;
  std::unordered_set<std::uint64_t, SeededHash> in_long_lists_;  // place in several_, and key
};

}  // namespace weft
