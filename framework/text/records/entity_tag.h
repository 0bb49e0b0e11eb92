// The tags of entities, as the columns of data sets have them.
#pragma once

#include <string_view>

namespace weft {

// `O`, or a letter of some scheme with a label: `B-ORG`, `S-ORG`.
inline bool is_entity_tag(std::string_view tag) {
  const bool has_label = tag.size() > 2 && tag[1] == '-';
  return tag == "O" || (has_label && std::string_view("BILUESM").find(tag[0]) != tag.npos);
}

}  // namespace weft
