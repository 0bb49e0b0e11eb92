#include "framework/parser/beam_search.h"

#include <cmath>

namespace weft {

// A softmax; the best score is taken off first, so that no exponential overflows.
std::vector<double> probabilities(const BeamAnalyses& analyses) {
  std::vector<double> terms;
  if (analyses.empty()) return terms;
  double best = analyses.front().score, sum = 0;
  for (const BeamAnalysis& one : analyses) best = std::max(best, double{one.score});
  for (const BeamAnalysis& one : analyses) {
    terms.push_back(std::exp(double{one.score} - best));
    sum += terms.back();
  }
  for (double& term : terms) term /= sum;
  return terms;
}

}  // namespace weft
