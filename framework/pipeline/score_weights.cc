#include "framework/pipeline/score_weights.h"

#include <charconv>
#include <cmath>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "registry/base/suggest.h"

namespace weft {
namespace {

bool is_number(const Node& node) {
  return node.is_float() || std::holds_alternative<std::int64_t>(node.value());
}

// Scores that a weight makes sense for; null is a number that could not be computed this time.
std::vector<std::string> weighable(const Scores& scores) {
  std::vector<std::string> names;
  for (const auto& [name, score] : scores) {
    if (is_number(score) || score.is_null()) names.push_back(name);
  }
  return names;
}

// As Python rounds: the number that the bits stand for, so that 7/40, a little less than 0.175,
// becomes 0.17, and halves to even. The factor 100 would round it up to a half.
double rounded(double value) {
  const std::string decimals = fmt::format("{:.2f}", value);
  std::from_chars(decimals.data(), decimals.data() + decimals.size(), value);  // in any locale
  return value;
}

}  // namespace

double number_or_zero(const Node& node) {
  if (node.is_bool()) return node.as_bool() ? 1.0 : 0.0;  // as Python counts them
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
    const double value = score == nullptr ? 0.0 : number_or_zero(*score);
    if (std::isfinite(value)) sum += number_or_zero(weight) * value;
  }
  return sum;
}

Problems unknown_score_weights(const Object& weights, const Scores& scores) {
  Problems warnings;
  for (const auto& [name, weight] : weights) {
    if (number_or_zero(weight) == 0.0 || scores.contains(name)) continue;
    Problem& warning = warnings.emplace_back();
    warning.severity = Severity::warning;
    warning.kind = ProblemKind::validation;
    warning.place =
        weight.key_origin.source == Origin::Source::none ? weight.origin : weight.key_origin;
    warning.path = "training.score_weights." + name;
    warning.message =
        "no component gave this score in the evaluation, so its weight counts nothing";
    warning.suggestion = suggestion(name, weighable(scores));
  }
  return warnings;
}

}  // namespace weft
