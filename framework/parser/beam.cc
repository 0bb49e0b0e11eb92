#include "framework/parser/beam.h"

#include <functional>

namespace weft {

namespace {

// exp(score - best) / Z >= density / Z, where Z is the sum over all candidates: Z says nothing.
void drop_unlikely(std::vector<BeamCandidate>& candidates, double density) {
  float best = candidates.front().score;
  for (const BeamCandidate& candidate : candidates) best = std::max(best, candidate.score);
  const double least = std::log(double{static_cast<float>(density)});
  // The comparison is negated so that a difference that is no number, as of two infinities, drops
  // the candidate.
  std::erase_if(candidates, [&](const BeamCandidate& candidate) {
    return !(double{candidate.score} - double{best} >= least);
  });
}

}  // namespace

// Selecting the best ones takes linear time; only those are sorted. No two candidates are equal in
// the order (numbers differ), so the result does not depend on how the library selects.
void choose_best(std::vector<BeamCandidate>& candidates, int width, double density) {
  if (density > 0 && !candidates.empty()) drop_unlikely(candidates, density);
  const auto best = std::min(candidates.size(), static_cast<std::size_t>(width));
  const auto end = candidates.begin() + static_cast<std::ptrdiff_t>(best);
  if (best < candidates.size()) {
    std::nth_element(candidates.begin(), end, candidates.end(), std::greater<>());
  }
  candidates.erase(end, candidates.end());
  std::sort(candidates.begin(), candidates.end(), std::greater<>());
}

}  // namespace weft
