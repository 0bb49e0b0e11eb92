// The search of a beam against all analyses that there are, under the transition system of
// entities.
#include "framework/parser/beam.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

#include "framework/parser/beam_search.h"

namespace weft {
namespace {

using transition::Action;
using transition::EntitySystem;

// Entities of one token or none, so that every class is valid everywhere.
const std::vector<Action> kActions = {{Move::out, 0}, {Move::unit, 1}, {Move::unit, 2}};
constexpr int kTokens = 6;

// Depends on every class before.
float score_of(const std::vector<std::int32_t>& classes) {
  std::uint32_t hash = 17;
  for (const std::int32_t taken : classes) {
    hash = (hash ^ static_cast<std::uint32_t>(taken + 1)) * 2654435761U;
  }
  return static_cast<float>(hash % 1000) / 100.0F;
}

struct Analysis {
  float score = 0;
  std::vector<std::int32_t> classes;
};

void add_all(Analysis& started, std::vector<Analysis>& all) {
  if (started.classes.size() == kTokens) {
    all.push_back(started);
    return;
  }
  for (std::int32_t k = 0; k < 3; ++k) {
    Analysis next = started;
    next.classes.push_back(k);
    next.score += score_of(next.classes);
    add_all(next, all);
  }
}

std::vector<Analysis> found_with(const BeamSettings& settings) {
  transition::State start;
  start.length = kTokens;
  Beam<EntitySystem> beam(start, settings);
  BeamHistories histories;
  while (!beam.is_finished()) {
    std::vector<std::array<float, 3>> scores;
    for (const auto& entry : beam.entries()) {
      if (entry.state.is_final()) continue;
      std::vector<std::int32_t> classes = histories.classes(entry.history);
      scores.emplace_back();
      for (std::int32_t k = 0; k < 3; ++k) {
        classes.push_back(k);
        scores.back()[static_cast<std::size_t>(k)] = score_of(classes);
        classes.pop_back();
      }
    }
    beam.advance(
        kActions, [&](int row) { return scores[static_cast<std::size_t>(row)].data(); },
        [](const transition::State&, float* costs) { std::fill_n(costs, 3, 0.0F); },
        [&](std::int32_t history, std::int32_t taken) {
          return histories.extended(history, taken);
        });
  }
  std::vector<Analysis> found;
  for (const auto& entry : beam.entries()) {
    found.push_back({entry.score, histories.classes(entry.history)});
  }
  return found;
}

TEST(Beam, WideEnoughItFindsTheBestOfAllAnalyses) {
  std::vector<Analysis> all;
  Analysis empty;
  add_all(empty, all);
  const auto best = std::max_element(
      all.begin(), all.end(), [](const auto& a, const auto& b) { return a.score < b.score; });
  const auto found = found_with({.width = 729, .density = 0});
  ASSERT_EQ(found.size(), all.size());
  EXPECT_EQ(found[0].classes, best->classes);
  EXPECT_NEAR(found[0].score, best->score, 1e-4);
  for (std::size_t i = 1; i < found.size(); ++i) EXPECT_LE(found[i].score, found[i - 1].score);
}

TEST(Beam, OfWidthOneItTakesTheBestClassEachTime) {
  std::vector<std::int32_t> greedy;
  for (int token = 0; token < kTokens; ++token) {
    std::int32_t best = 0;
    float highest = -1;
    for (std::int32_t k = 0; k < 3; ++k) {
      greedy.push_back(k);
      if (score_of(greedy) > highest) {
        highest = score_of(greedy);
        best = k;
      }
      greedy.pop_back();
    }
    greedy.push_back(best);
  }
  const auto found = found_with({.width = 1, .density = 0});
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].classes, greedy);
}

TEST(Beam, OfEqualCandidatesTheLargerNumberIsBetter) {
  std::vector<BeamCandidate> candidates = {{1, 0}, {2, 1}, {2, 5}, {2, 3}, {0, 9}};
  choose_best(candidates, 3, 0);
  ASSERT_EQ(candidates.size(), 3U);
  EXPECT_EQ(candidates[0].number, 5);
  EXPECT_EQ(candidates[1].number, 3);
  EXPECT_EQ(candidates[2].number, 1);
}

TEST(Beam, UnlikelyCandidatesAreDropped) {
  const auto log_of = [](double share) { return static_cast<float>(std::log(share)); };
  std::vector<BeamCandidate> candidates = {
      {0, 0}, {log_of(0.5), 1}, {log_of(0.011), 2}, {log_of(0.009), 3}};
  choose_best(candidates, 8, 0.01);
  EXPECT_EQ(candidates.size(), 3U);
  EXPECT_EQ(candidates.back().number, 2);
}

TEST(Beam, ProbabilitiesAreThoseOfTheScoresOfAllAnalyses) {
  const auto log_of = [](double share) { return static_cast<float>(std::log(share)); };
  const BeamAnalyses analyses = {{log_of(0.6) + 100.0F, {}}, {log_of(0.3) + 100.0F, {}}};
  const std::vector<double> found = probabilities(analyses);
  ASSERT_EQ(found.size(), 2U);
  EXPECT_NEAR(found[0], 2.0 / 3.0, 1e-5);
  EXPECT_NEAR(found[1], 1.0 / 3.0, 1e-5);
  EXPECT_TRUE(probabilities({}).empty());
}

// A history of a long text is a place in a tree; dropping others changes none that is used.
TEST(BeamHistories, OnesThatNobodyUsesAreDropped) {
  BeamHistories histories;
  std::int32_t kept = BeamHistories::kEmpty;
  std::vector<std::int32_t> classes;
  for (std::int32_t step = 0; step < 6000; ++step) {
    histories.extended(kept, 7);  // dropped
    kept = histories.extended(kept, step % 5);
    classes.push_back(step % 5);
    if (!histories.is_crowded()) continue;
    std::int32_t* const used[] = {&kept};
    histories.keep(used);
  }
  EXPECT_EQ(histories.classes(kept), classes);
  EXPECT_EQ(histories.length(kept), 6000);
}

}  // namespace
}  // namespace weft
