#include "registry/writing/section_walk.h"

#include <algorithm>
#include <utility>

#include "registry/value/section_path.h"

namespace weft {
namespace {

std::vector<WalkedSection> children(const WalkedSection& section, std::size_t parent) {
  std::vector<WalkedSection> found;
  for (const auto& [key, node] : *section.object) {
    if (!node.is_object()) continue;
    found.push_back({join_path(section.path, key), key, &node, &node.as_object(), parent});
  }
  return found;
}

}  // namespace

std::vector<WalkedSection> walk_sections(const Object& root, SectionOrder order) {
  std::vector<WalkedSection> sections{{{}, {}, nullptr, &root}};
  if (order == SectionOrder::breadth_first) {
    for (std::size_t i = 0; i < sections.size(); ++i) {
      for (WalkedSection& child : children(sections[i], i)) sections.push_back(std::move(child));
    }
    return sections;
  }
  std::vector<WalkedSection> open = std::exchange(sections, {});
  while (!open.empty()) {
    sections.push_back(std::move(open.back()));
    open.pop_back();
    std::vector<WalkedSection> inner = children(sections.back(), sections.size() - 1);
    std::move(inner.rbegin(), inner.rend(), std::back_inserter(open));
  }
  return sections;
}

bool has_header(const WalkedSection& section) {
  if (section.node == nullptr) return false;
  const Object& object = *section.object;
  const bool implicit = section.name == "*" && !object.empty();
  return !implicit || std::any_of(object.begin(), object.end(),
                                  [](const auto& entry) { return !entry.node.is_object(); });
}

}  // namespace weft
