#include "framework/parser/state_batch.h"

#include <algorithm>

#include "framework/ops/state_scores.h"

namespace weft {

// The array grows by doubling and never shrinks: after the first rounds no memory is asked for.
std::int32_t* StateBatch::add() {
  const auto width = static_cast<std::size_t>(scorer_.shape.features);
  const auto at = static_cast<std::size_t>(count_++) * width;
  if (features_.size() < at + width) features_.resize(std::max(at + width, 2 * features_.size()));
  return features_.data() + at;
}

// All states in one call, so that the kernel reads each weight for many states and not for one.
void StateBatch::score(Context& ctx, std::span<const std::uint8_t> unseen, const float* mask) {
  const auto rows = static_cast<std::size_t>(count_);
  const auto room = [&](std::vector<float>& numbers, int width) {
    const std::size_t needed = rows * static_cast<std::size_t>(width);
    if (numbers.size() < needed) numbers.resize(needed);
    return numbers.data();
  };
  ctx.run<ScoreStates>(scorer_.shape, scorer_.weights, unseen,
                       StateRows{.count = count_,
                                 .features = features_.data(),
                                 .mask = mask,
                                 .hidden = room(hidden_, scorer_.shape.hidden),
                                 .scores = room(scores_, scorer_.shape.classes)});
}

}  // namespace weft
