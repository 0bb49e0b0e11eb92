#include "framework/pipeline/score_weights.h"

#include <cmath>

namespace weft {
namespace {

bool is_number(const Node& node) {
  return node.is_float() || std::holds_alternative<std::int64_t>(node.value());
}

// Half to even, as the reference rounds: 0.125 becomes 0.12.
double rounded(double value) {
  return std::nearbyint(value * 100.0) / 100.0;
}

}  // namespace

double number_or_zero(const Node& node) {
  if (node.is_float()) return node.as_float();
  return is_number(node) ? static_cast<double>(node.as_integer()) : 0.0;
}

Object combine_score_weights(std::span<const Object> proposed, const Object& own) {
  Object weights;
  for (const Object& object : proposed) {
    for (const auto& [key, weight] : object) weights.set(key, weight);
  }
  for (const auto& [key, weight] : own) weights.set(key, weight);
  double sum = 0.0;
  for (const auto& [key, weight] : weights) sum += number_or_zero(weight);
  for (auto& [key, weight] : weights) {
    const double value = number_or_zero(weight);
    if (value != 0.0 && sum > 0.0) weight.value() = rounded(value / sum);
  }
  return weights;
}

double main_score(const Scores& scores, const Object& weights) {
  double sum = 0.0;
  for (const auto& [key, weight] : weights) {
    const Node* score = scores.find(key);
    if (score != nullptr) sum += number_or_zero(weight) * number_or_zero(*score);
  }
  return sum;
}

}  // namespace weft
