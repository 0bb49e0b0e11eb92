// The sections of a tree in the order in which they are written. Source: docs/config.md, "Writing".
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "registry/value/config.h"
#include "registry/writing/cfg_writer.h"

namespace weft {

struct WalkedSection {
  std::string path;
  std::string_view name;  // the last part of the path
  const Node* node;       // null: the root
  const Object* object;
  std::size_t parent = 0;  // its place in the same list, before this one
};

// The root first; every object outside a list is a section.
std::vector<WalkedSection> walk_sections(const Object& root, SectionOrder order);

// The root has none, and a `*` above other sections only if it has values itself.
bool has_header(const WalkedSection& section);

}  // namespace weft
