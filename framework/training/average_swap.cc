#include "framework/training/average_swap.h"

#include <utility>

namespace weft {
namespace {

// Where they are of other types the array becomes one of the average's, whose other parts come from
// the ranks that have them.
void swap_part(Tensor& weights, OptimizerState& state) {
  Tensor& average = state.average;
  const auto part_in = [&](const Tensor& whole) {
    return Tensor(whole).reshaped({whole.size()}).rows(state.begin, state.begin + average.size());
  };
  const Tensor old = part_in(weights).clone();
  if (weights.dtype() != average.dtype()) {
    weights = Tensor::zeros(weights.shape(), average.dtype());
  }
  part_in(weights).copy_from(average);
  average = old;
}

}  // namespace

void swap_average(Tensor& weights, OptimizerState& state) {
  if (state.average.size() == weights.size()) {
    std::swap(weights, state.average);
  } else {
    swap_part(weights, state);
  }
}

}  // namespace weft
