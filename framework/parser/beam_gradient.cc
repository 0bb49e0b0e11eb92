#include "framework/parser/beam_gradient.h"

#include <cstddef>

namespace weft {

// The pointer holds until the next row is added: the array may move then.
std::int32_t* BeamGradient::add_row(const ParseStep& step, int depth_of_row, int feature_count,
                                    int classes) {
  steps.push_back(step);
  depth.push_back(depth_of_row);
  features.resize(features.size() + static_cast<std::size_t>(feature_count), -1);
  d_scores.resize(d_scores.size() + static_cast<std::size_t>(classes), 0.0F);
  return features.data() + features.size() - feature_count;
}

// A loss that can be compared from step to step: the mean square over the states of the search's
// step, also those that have no gradient. Classes never seen in training count in it, and lose
// their gradient only afterwards.
void BeamGradient::finish(int classes, std::span<const std::uint8_t> unseen) {
  for (std::size_t row = 0; row < rows(); ++row) {
    float* d = d_scores.data() + row * static_cast<std::size_t>(classes);
    double squares = 0;
    for (int k = 0; k < classes; ++k) squares += double{d[k]} * d[k];
    const int states = states_per_step[static_cast<std::size_t>(depth[row])];
    loss += squares / (static_cast<double>(states) * classes);
    for (std::size_t k = 0; k < unseen.size(); ++k) d[k] = unseen[k] != 0 ? 0 : d[k];
  }
}

}  // namespace weft
