// Prediction with beams: the best analyses of documents under any transition system
// (docs/parsing.md, 7).
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "framework/ops/context.h"
#include "framework/parser/beam.h"
#include "framework/parser/parse_batch.h"
#include "framework/parser/state_batch.h"

namespace weft {

// One analysis of a document: the classes that it took, and the sum of their scores.
struct BeamAnalysis {
  float score = 0;
  std::vector<std::int32_t> classes;
};
// Those of one document that a search ends with, the best one first.
using BeamAnalyses = std::vector<BeamAnalysis>;

// The probabilities of a document's analyses: the softmax of their scores.
WEFT_API std::vector<double> probabilities(const BeamAnalyses& analyses);

// How many states the search scores together at most, where several documents are searched at once:
// so many still lie in the processor's caches.
inline constexpr int kStatesTogether = 1024;

// The beams of documents that are searched together, and their histories.
template <transition::System S>
class BeamSearch {
 public:
  BeamSearch(const ParseInput<S>& task, std::span<const typename S::State> starts,
             const BeamSettings& settings)
      : task_(task), histories_(starts.size()) {
    for (const auto& start : starts) beams_.emplace_back(start, settings);
  }

  std::vector<BeamAnalyses> run(Context& ctx, const StateScorer& scorer) {
    StateBatch states(scorer);
    while (gather(states)) {
      states.score(ctx, task_.unseen, nullptr);
      advance(states);
    }
    std::vector<BeamAnalyses> found(beams_.size());
    for (std::size_t i = 0; i < beams_.size(); ++i) {
      for (const auto& entry : beams_[i].entries()) {
        found[i].push_back({entry.score, histories_[i].classes(entry.history)});
      }
    }
    return found;
  }

 private:
  // False: every beam is finished.
  bool gather(StateBatch& states) const {
    states.clear();
    for (const Beam<S>& beam : beams_) {
      if (beam.is_finished()) continue;
      for (const auto& entry : beam.entries()) {
        if (!entry.state.is_final()) S::features(entry.state, states.features(), states.add());
      }
    }
    return states.count() > 0;
  }

  void advance(const StateBatch& states) {
    int row = 0;
    for (std::size_t i = 0; i < beams_.size(); ++i) {
      Beam<S>& beam = beams_[i];
      if (beam.is_finished()) continue;
      BeamHistories& histories = histories_[i];
      beam.advance(
          task_.actions, [&](int) { return states.scores(row++); },
          [&](const typename S::State& state, float* costs) {
            const auto valid = S::valid(state, task_.marks);
            for (const auto& action : task_.actions) {
              *costs++ = valid.allows(action) ? 0.0F : transition::kInvalidCost;
            }
          },
          [&](std::int32_t history, std::int32_t taken) {
            return histories.extended(history, taken);
          });
      if (histories.is_crowded()) drop_unused(beam, histories);
    }
  }

  static void drop_unused(Beam<S>& beam, BeamHistories& histories) {
    std::vector<std::int32_t*> used;
    for (auto& entry : beam.entries()) used.push_back(&entry.history);
    histories.keep(used);
  }

  const ParseInput<S>& task_;
  std::vector<Beam<S>> beams_;
  std::vector<BeamHistories> histories_;
};

// The analyses of each document. `starts`: a parse at the first token of every document. A document
// without tokens has one analysis, which is empty.
template <transition::System S>
std::vector<BeamAnalyses> search_beams(Context& ctx, const StateScorer& scorer,
                                       const ParseInput<S>& task,
                                       std::span<const typename S::State> starts,
                                       const BeamSettings& settings) {
  const auto together = static_cast<std::size_t>(std::max(1, kStatesTogether / settings.width));
  std::vector<BeamAnalyses> found;
  for (std::size_t begin = 0; begin < starts.size(); begin += together) {
    const auto group = starts.subspan(begin, std::min(together, starts.size() - begin));
    for (BeamAnalyses& analyses : BeamSearch<S>(task, group, settings).run(ctx, scorer)) {
      found.push_back(std::move(analyses));
    }
  }
  return found;
}

}  // namespace weft
