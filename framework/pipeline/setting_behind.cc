#include "framework/pipeline/setting_behind.h"

#include <string_view>

namespace weft {
namespace {

constexpr int kMostHops = 100;  // variables that lead to themselves are reported elsewhere

// The name in a value that is one variable; "" for any other.
std::string only_variable(const Node& node) {
  if (!node.is_string() || !node.kept_raw) return "";
  const std::string_view text = node.as_string();
  if (!text.starts_with("${") || text.find('}') != text.size() - 1) return "";
  return std::string(text.substr(2, text.size() - 3));
}

}  // namespace

std::string setting_behind(const Config& config, std::string path) {
  for (int hop = 0; hop < kMostHops; ++hop) {
    const Node* node = config.find(path);
    const std::string name = node == nullptr ? "" : only_variable(*node);
    if (name.empty() || config.find(name) == nullptr) break;
    path = name;
  }
  return path;
}

}  // namespace weft
