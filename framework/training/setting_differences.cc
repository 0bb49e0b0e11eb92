#include "framework/training/setting_differences.h"

#include "registry/value/json.h"

namespace weft {
namespace {

std::string text_of(const Node* node) {
  if (node == nullptr) return "absent";
  return node->is_object() ? "a section" : to_json(*node);
}

void compare(const std::string& path, const Node* before, const Node* after,
             std::vector<SettingDifference>& found) {
  if (before == nullptr || after == nullptr || !before->is_object() || !after->is_object()) {
    const bool is_same = before != nullptr && after != nullptr && before->same_value(*after);
    if (!is_same && before != after) found.push_back({path, before, after});
    return;
  }
  const auto below = [&](const std::string& key) { return path.empty() ? key : path + "." + key; };
  const Object &old = before->as_object(), &now = after->as_object();
  for (const auto& [key, node] : old) compare(below(key), &node, now.find(key), found);
  for (const auto& [key, node] : now) {
    if (!old.contains(key)) compare(below(key), nullptr, &node, found);
  }
}

}  // namespace

std::string SettingDifference::before_text() const {
  return text_of(before);
}

std::string SettingDifference::after_text() const {
  return text_of(after);
}

std::vector<SettingDifference> setting_differences(const std::string& path, const Node* before,
                                                   const Node* after) {
  std::vector<SettingDifference> found;
  compare(path, before, after, found);
  return found;
}

bool is_path_of_corpus(std::string_view path) {
  return path.starts_with("corpora.") && path.ends_with(".path");
}

}  // namespace weft
