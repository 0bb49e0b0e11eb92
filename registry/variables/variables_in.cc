#include <set>
#include <string>

#include "registry/variables/interpolate.h"
#include "registry/variables/variable_syntax.h"

namespace weft {
namespace {

void collect(const Node& node, std::set<std::string>& names) {
  if (node.is_string() && (node.kept_raw || node.kept_text)) {
    for (const Piece& piece : split_variables(node.as_string()).pieces) {
      if (piece.reference) names.emplace(piece.text);
    }
  } else if (node.is_list()) {
    for (const Node& item : node.as_list()) collect(item, names);
  } else if (node.is_object()) {
    for (const auto& [_, child] : node.as_object()) collect(child, names);
  }
}

}  // namespace

std::set<std::string> variables_in(const Config& config) {
  std::set<std::string> names;
  for (const auto& [_, section] : config.root()) collect(section, names);
  return names;
}

}  // namespace weft
