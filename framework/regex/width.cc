#include "framework/regex/width.h"

#include <algorithm>

namespace weft {
namespace {

RegexWidth capped(std::uint64_t least, std::uint64_t most) {
  return {std::min(least, RegexWidth::kMost), std::min(most, RegexWidth::kMost)};
}

// Both factors have 32 bits.
RegexWidth repeated(RegexWidth once, const RegexNode& node) {
  return capped(once.least * node.min, once.most * node.max);
}

}  // namespace

RegexWidth width_of(const RegexNode& node, std::span<const RegexWidth> groups) {
  switch (node.kind) {
    case RegexKind::set:
      return {1, 1};
    case RegexKind::sequence: {
      RegexWidth sum;
      for (const RegexNode& child : node.children) {
        const RegexWidth width = width_of(child, groups);
        sum = capped(sum.least + width.least, sum.most + width.most);
      }
      return sum;
    }
    case RegexKind::alternation: {
      RegexWidth widest{RegexWidth::kMost, 0};
      for (const RegexNode& child : node.children) {
        const RegexWidth width = width_of(child, groups);
        widest = {std::min(widest.least, width.least), std::max(widest.most, width.most)};
      }
      return widest;
    }
    case RegexKind::repeat:
      return repeated(width_of(node.children[0], groups), node);
    case RegexKind::group:
    case RegexKind::atomic:
      return width_of(node.children[0], groups);
    case RegexKind::back_reference:
      return groups[node.capture - 1];
    default:
      return {};  // a place
  }
}

}  // namespace weft
