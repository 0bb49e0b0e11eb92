#include "framework/parser/beam_violation.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace weft {

namespace {

using Entry = BeamViolation::Entry;

std::vector<double> softmax(std::span<const double> scores) {
  std::vector<double> terms(scores.begin(), scores.end());
  if (terms.empty()) return terms;
  const double best = *std::max_element(terms.begin(), terms.end());
  double sum = 0;
  for (double& term : terms) sum += term = std::exp(term - best);
  for (double& term : terms) term /= sum;
  return terms;
}

// Analyses with their scores.
struct Scored {
  std::vector<std::int32_t> histories;
  std::vector<double> scores;

  void add(const Entry& entry) {
    histories.push_back(entry.history);
    scores.push_back(entry.score);
  }
};

}  // namespace

// Huang, Fayong and Guo (2012), "Structured perceptron with inexact search": the update is made at
// the step where the wrong prediction is furthest above the best right analysis, which may have
// left the beam of predictions by then. The gradient of a score is its softmax among all analyses,
// minus that among the right ones, times the loss of the best prediction.
void BeamViolation::look_at(std::span<const Entry> predicted, std::span<const Entry> right) {
  const Entry& best = predicted.front();
  const double delta = double{best.score} - double{right.front().score};
  if (!(best.loss > 0) || !(analyses_.empty() || delta > double{delta_})) return;
  const auto is_right = [&](const Entry& entry) {
    return std::any_of(right.begin(), right.end(),
                       [&](const Entry& one) { return one.history == entry.history; });
  };
  Scored all, good;
  for (const Entry& entry : predicted) {
    if (entry.loss > 0) all.add(entry);
  }
  // Right analyses may be in both beams; those of the predicted one that the other holds are
  // skipped.
  const std::size_t wrong = all.scores.size();
  for (const Entry& entry : predicted) {
    if (!(entry.loss > 0) && !is_right(entry)) good.add(entry);
  }
  for (const Entry& entry : right) {
    if (entry.loss == 0) good.add(entry);
  }
  all.scores.insert(all.scores.end(), good.scores.begin(), good.scores.end());
  all.histories.insert(all.histories.end(), good.histories.begin(), good.histories.end());
  const std::vector<double> share = softmax(all.scores), share_of_right = softmax(good.scores);
  analyses_.clear();
  for (std::size_t i = 0; i < share.size(); ++i) {
    const double taken = i < wrong ? 0.0 : share_of_right[i - wrong];
    analyses_.push_back({all.histories[i], double{best.loss} * (share[i] - taken)});
  }
  delta_ = static_cast<float>(delta);
}

}  // namespace weft
