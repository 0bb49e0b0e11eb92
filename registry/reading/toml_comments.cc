#include "registry/reading/toml_comments.h"

#include <utility>

namespace weft {
namespace {

using Anchors = std::map<int, Node*>;

// The first thing in each line; of a header, the innermost section it makes.
void collect_anchors(Object& object, Anchors& anchors) {
  for (auto& [key, node] : object) {
    if (const int line = node.key_origin.line; line != 0) {
      Node*& anchor = anchors[line];
      if (anchor == nullptr || node.key_origin.column <= anchor->key_origin.column) anchor = &node;
    }
    if (node.is_object()) collect_anchors(node.as_object(), anchors);
  }
}

}  // namespace

void attach_comments(Config& config, const LastLines& last_lines,
                     std::vector<TomlComment> comments) {
  if (comments.empty()) return;
  Anchors anchors;
  collect_anchors(config.root(), anchors);
  for (TomlComment& comment : comments) {
    // By bisection over the lines that begin something.
    auto next = anchors.upper_bound(comment.line);
    if (next != anchors.begin()) {
      const auto before = std::prev(next);
      const auto last = last_lines.find(before->first);
      const int end = last == last_lines.end() ? before->first : last->second;
      if (comment.line <= end) next = before;
    }
    auto& target = next == anchors.end() ? config.trailing_comments : next->second->comments;
    target.push_back(std::move(comment.text));
  }
}

}  // namespace weft
