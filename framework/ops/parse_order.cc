#include "framework/ops/parse_order.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace weft {
namespace {

std::vector<std::int32_t> round_begins(std::span<const int> longest_first) {
  const int rounds = longest_first.empty() ? 0 : longest_first.front();
  std::vector<std::int32_t> begins(static_cast<std::size_t>(rounds) + 1, 0);
  std::size_t active = longest_first.size();
  for (int k = 0; k < rounds; ++k) {
    while (active > 0 && longest_first[active - 1] <= k) --active;
    const auto at = static_cast<std::size_t>(k);
    begins[at + 1] = begins[at] + static_cast<std::int32_t>(active);
  }
  return begins;
}

}  // namespace

ParseOrder::ParseOrder(const Context& ctx, std::vector<int> steps)
    : steps_(std::move(steps)),
      rows_(std::accumulate(steps_.begin(), steps_.end(), std::int64_t{0})) {
  if (ctx.on_cpu()) return;
  places_.resize(steps_.size());
  std::iota(places_.begin(), places_.end(), std::size_t{0});
  std::stable_sort(places_.begin(), places_.end(),
                   [&](std::size_t a, std::size_t b) { return steps_[a] > steps_[b]; });
  std::stable_sort(steps_.begin(), steps_.end(), [](int a, int b) { return a > b; });
  begins_ = round_begins(steps_);
}

TransitionRounds ParseOrder::rounds(Context& ctx) const {
  if (!knows_rows()) return {};
  const std::span<const std::int32_t> begins(begins_);
  return {static_cast<int>(begins.size()) - 1, begins.data(), ctx.placed_array(begins)};
}

}  // namespace weft
