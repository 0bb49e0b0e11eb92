// The scoring layers of transition-based parsers on the CPU, for the kernels that follow parses and
// for the one that scores states by themselves.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "framework/ops/transition_steps.h"

namespace weft::cpu {

class StateScoring {
 public:
  // The arguments outlive it.
  StateScoring(const ScorerShape& shape, const ScorerWeights& weights,
               std::span<const std::uint8_t> unseen);

  // The hidden vector of one state and the pieces that won (null: not kept).
  void fill_hidden(const std::int32_t* features, float* hidden, std::uint8_t* winners);
  // Rounds hidden vectors to the format in which the policy stores them.
  void round_hidden(int rows, float* hidden) const;
  // Scores (rows, classes) from hidden vectors that the caller may have masked in between.
  void fill_scores(int rows, const float* hidden, float* scores);

 private:
  void make_rows(const std::int32_t* features);
  std::size_t place_of(std::int32_t token, int feature) const;
  std::size_t slice() const { return static_cast<std::size_t>(shape_.slice()); }
  const float* part_of(std::int32_t token, int feature) const;
  const float* score_inputs(int rows, const float* hidden);
  void lower_unseen(int rows, float* scores) const;

  const ScorerShape& shape_;
  const ScorerWeights& weights_;
  std::span<const std::uint8_t> unseen_;
  std::vector<float> sum_;
  std::vector<const float*> parts_;    // of a state, by feature
  std::vector<float> made_;            // rows that `lower` lacks
  std::vector<std::int32_t> made_at_;  // by token and other feature; -1: not there
  std::vector<float> rounded_;         // hidden vectors as the upper layer takes them
};

}  // namespace weft::cpu
