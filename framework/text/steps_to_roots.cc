#include "framework/text/steps_to_roots.h"

#include <algorithm>

namespace weft {

std::vector<int> steps_to_roots(std::span<const int> heads) {
  constexpr int kUnknown = -1, kOnPath = -2;
  const int size = static_cast<int>(heads.size());
  std::vector<int> steps(heads.size(), kUnknown);
  const auto of = [&](int token) -> int& { return steps[static_cast<std::size_t>(token)]; };
  const auto head_of = [&](int token) { return heads[static_cast<std::size_t>(token)]; };
  std::vector<int> path;
  for (int i = 0; i < size; ++i) {
    path.clear();
    int token = i;
    for (; of(token) == kUnknown && head_of(token) != token; token = head_of(token)) {
      of(token) = kOnPath;
      path.push_back(token);
    }
    if (of(token) == kUnknown) of(token) = 0;
    int above = of(token) == kOnPath ? size : of(token);
    for (auto below = path.rbegin(); below != path.rend(); ++below) {
      of(*below) = above = std::min(above + 1, size);
    }
  }
  return steps;
}

}  // namespace weft
