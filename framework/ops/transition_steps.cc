#include "framework/ops/transition_steps.h"

#include <algorithm>

namespace weft {

int transition_rows(std::span<const transition::State> states, int max_rounds) {
  int rows = 0;
  for (const transition::State& state : states) {
    const int left = std::max(state.left(), 0);
    rows += max_rounds > 0 ? std::min(left, max_rounds) : left;
  }
  return rows;
}

}  // namespace weft
