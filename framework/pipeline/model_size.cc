#include "framework/pipeline/model_size.h"

#include <algorithm>

#include <fmt/format.h>

#include "framework/nn/model_limits.h"

namespace weft {
namespace {

struct Largest {
  std::int64_t value = 0;
  std::string path;
  Origin place;
};

// The largest number of a tree of settings: rows, a width or a depth that nobody meant.
void find_largest(const Node& node, const std::string& path, Largest& largest) {
  if (const auto* number = std::get_if<std::int64_t>(&node.value())) {
    if (*number > largest.value) largest = {*number, path, node.origin};
  } else if (node.is_list()) {
    for (const Node& item : node.as_list()) find_largest(item, path, largest);
  } else if (node.is_object()) {
    for (const auto& [key, child] : node.as_object()) {
      find_largest(child, fmt::format("{}.{}", path, key), largest);
    }
  }
}

}  // namespace

ModelSize::ModelSize() : limit_(most_parameters()) {}

void ModelSize::add(const Component& component, const Node& block, const std::string& path,
                    Problems& problems) {
  const bool was_within = sum_ <= limit_;
  for (const ModelPtr& model : component.models()) {
    sum_ = std::min(limit_ + 1, sum_ + count_parameters(*model, limit_));
  }
  if (sum_ <= limit_ || !was_within) return;
  Largest largest{.value = 0, .path = path, .place = block.origin};
  find_largest(block, path, largest);
  Problem& problem = problems.emplace_back();
  problem.kind = ProblemKind::limit;
  problem.place = largest.place;
  problem.path = largest.path;
  problem.message = fmt::format(
      "with {} the pipeline's parameters would hold more than {} numbers; if that is meant, set "
      "WEFT_MAX_PARAMETERS",
      largest.value, limit_);
}

}  // namespace weft
