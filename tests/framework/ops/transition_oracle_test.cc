#include "framework/ops/transition_oracle.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <set>
#include <tuple>
#include <vector>

#include <gtest/gtest.h>

namespace weft::transition {
namespace {

constexpr std::uint64_t kA = 11, kB = 22;
using Gold = std::vector<GoldTag>;
using Entity = std::tuple<int, int, std::uint64_t>;

const std::vector<Action> kActions = {
    {Move::begin, kA}, {Move::begin, kB}, {Move::in, kA},   {Move::in, kB},  {Move::last, kA},
    {Move::last, kB},  {Move::unit, kA},  {Move::unit, kB}, {Move::unit, 0}, {Move::out, 0}};

// A document without any annotation of its own.
class Blank {
 public:
  explicit Blank(int n) : zeros_(n), types_(n), starts_(n) {}
  TokenMarks view() const { return {zeros_.data(), types_.data(), starts_.data(), zeros_.data()}; }

 private:
  std::vector<std::uint8_t> zeros_;
  std::vector<std::uint64_t> types_;
  std::vector<std::int8_t> starts_;
};

// Every complete annotation of n tokens with two labels.
std::vector<Gold> all_golds(int n) {
  std::vector<Gold> golds;
  Gold gold;
  std::function<void()> extend = [&] {
    if (static_cast<int>(gold.size()) == n) return golds.push_back(gold);
    gold.push_back({Move::out, 0});
    extend();
    gold.pop_back();
    for (const std::uint64_t label : {kA, kB}) {
      for (int length = 1; static_cast<int>(gold.size()) + length <= n; ++length) {
        const std::size_t size = gold.size();
        gold.resize(size + length, {Move::in, label});
        gold[size].move = Move::begin;
        gold.back().move = length == 1 ? Move::unit : Move::last;
        extend();
        gold.resize(size);
      }
    }
  };
  extend();
  return golds;
}

std::set<Entity> entities(const Gold& gold) {
  std::set<Entity> result;
  for (int i = 0, start = 0; i < static_cast<int>(gold.size()); ++i) {
    if (gold[i].move == Move::begin || gold[i].move == Move::unit) start = i;
    if (gold[i].move == Move::last || gold[i].move == Move::unit) {
      result.emplace(start, i + 1, gold[i].label);
    }
  }
  return result;
}

// Wrong plus missed entities that the best continuation ends with.
class BruteForce {
 public:
  explicit BruteForce(const Gold& gold)
      : gold_(entities(gold)), tags_(gold), blank_(static_cast<int>(gold.size())) {}

  int best_loss(const State& state, int wrong, int found) const {
    if (state.is_final()) return wrong + static_cast<int>(gold_.size()) - found;
    int best = std::numeric_limits<int>::max();
    for (const Action& action : kActions) {
      if (valid_moves(state, blank_.view()).allows(action)) {
        best = std::min(best, after(state, action, wrong, found));
      }
    }
    return best;
  }

  int after(State state, const Action& action, int& wrong, int& found) const {
    int now_wrong = wrong, now_found = found;
    if (action.move == Move::unit) {
      score({state.position, state.position + 1, action.label}, now_wrong, now_found);
    } else if (action.move == Move::last) {
      score({state.open_start, state.position + 1, state.open_label}, now_wrong, now_found);
    }
    apply(state, action);
    return best_loss(state, now_wrong, now_found);
  }

  // Compares every cost in every state that can be reached.
  void check(State state, int wrong, int found) {
    if (state.is_final()) return;
    const auto valid = valid_moves(state, blank_.view());
    std::vector<float> costs(kActions.size());
    fill_costs(state, kActions.data(), static_cast<int>(costs.size()), valid, tags_.data(), nullptr,
               0, costs.data());
    const int before = best_loss(state, wrong, found);
    for (std::size_t k = 0; k < kActions.size(); ++k) {
      if (!valid.allows(kActions[k])) {
        EXPECT_EQ(costs[k], kInvalidCost);
        continue;
      }
      if (!past_its_end(state)) {
        const int lost = after(state, kActions[k], wrong, found) - before;
        EXPECT_EQ(costs[k], std::min(lost, 1)) << k;
        ++compared;
      }
      State next = state;
      apply(next, kActions[k]);
      int next_wrong = wrong, next_found = found;
      count(state, kActions[k], next_wrong, next_found);
      check(next, next_wrong, next_found);
    }
  }

  int compared = 0;

 private:
  // Where an entity that was opened right has run over its gold end, the reference goes on looking
  // at its label only and costs are no longer a loss; the case below fixes what they are.
  bool past_its_end(const State& state) const {
    if (!state.is_open() || is_sunk(state, tags_.data())) return false;
    return std::none_of(gold_.begin(), gold_.end(), [&](const Entity& entity) {
      return std::get<0>(entity) == state.open_start && std::get<1>(entity) > state.position;
    });
  }
  void count(const State& state, const Action& action, int& wrong, int& found) const {
    if (action.move == Move::unit) {
      score({state.position, state.position + 1, action.label}, wrong, found);
    } else if (action.move == Move::last) {
      score({state.open_start, state.position + 1, state.open_label}, wrong, found);
    }
  }
  void score(const Entity& entity, int& wrong, int& found) const {
    ++(gold_.contains(entity) ? found : wrong);
  }

  std::set<Entity> gold_;
  Gold tags_;
  Blank blank_;
};

TEST(MoveCosts, SayWhetherAnythingIsLostThatCouldHaveBeenRight) {
  int compared = 0;
  for (int n = 1; n <= 4; ++n) {
    for (const Gold& gold : all_golds(n)) {
      BruteForce brute(gold);
      brute.check({.first = 0, .length = n}, 0, 0);
      compared += brute.compared;
    }
  }
  EXPECT_GT(compared, 10000);
}

std::vector<float> costs_of(const State& state, const Gold& gold,
                            const std::vector<NegativeSpan>& negatives = {}) {
  const Blank blank(state.length);
  std::vector<float> costs(kActions.size());
  fill_costs(state, kActions.data(), static_cast<int>(costs.size()),
             valid_moves(state, blank.view()), gold.data(), negatives.data(),
             static_cast<int>(negatives.size()), costs.data());
  return costs;
}

TEST(MoveCosts, EntityThatRanOverItsEndIsStillCalledRight) {
  const Gold gold = {{Move::unit, kA}, {Move::begin, kA}, {Move::in, kA}, {Move::last, kA}};
  const State state{.first = 0, .length = 4, .position = 2, .open_start = 0, .open_label = kA};
  const auto costs = costs_of(state, gold);
  EXPECT_EQ(costs[2], 0);  // IN
  EXPECT_EQ(costs[4], 1);  // LAST, though nothing would be lost
}

TEST(MoveCosts, MissingTagsCostNothing) {
  const Gold gold(3);
  const auto costs = costs_of({.first = 0, .length = 3}, gold);
  for (const int k : {0, 1, 6, 7, 9}) EXPECT_EQ(costs[k], 0) << k;
}

TEST(MoveCosts, InAtAUnitIsFreeOnlyBeforeOut) {
  const State state{.first = 0, .length = 4, .position = 1, .open_start = 0, .open_label = kA};
  Gold gold = {{Move::out, 0}, {Move::unit, kB}, {Move::missing, 0}, {Move::out, 0}};
  EXPECT_EQ(costs_of(state, gold)[2], 1);
  gold[2].move = Move::out;
  EXPECT_EQ(costs_of(state, gold)[2], 0);
}

TEST(MoveCosts, NegativeSpansAddOneAtMostOnce) {
  const Gold gold(4);
  const std::vector<NegativeSpan> unit = {{0, 1, kA}, {0, 1, kA}};
  EXPECT_EQ(costs_of({.first = 0, .length = 4}, gold, unit)[6], 1);
  EXPECT_EQ(costs_of({.first = 0, .length = 4}, gold, unit)[7], 0);
  EXPECT_EQ(costs_of({.first = 0, .length = 4}, gold, unit)[0], 0);  // three tokens or more left
  const State late{.first = 0, .length = 4, .position = 2};
  EXPECT_EQ(costs_of(late, gold, {{2, 4, kA}})[0], 1);
  const State open{.first = 0, .length = 4, .position = 2, .open_start = 1, .open_label = kA};
  EXPECT_EQ(costs_of(open, gold, {{1, 3, kA}})[4], 1);
  EXPECT_EQ(costs_of(open, gold, {{1, 4, kA}})[4], 0);
  EXPECT_EQ(costs_of(open, gold, {{1, 3, kB}})[4], 0);
}

TEST(ScoreGradient, IsTheDerivativeOfTheLogLoss) {
  std::vector<float> scores = {0.3F, -1.2F, 2.5F, 0.7F};
  const std::vector<float> costs = {0, kInvalidCost, 1, 0};
  std::vector<float> d(4);
  std::vector<double> terms(4);
  const float loss = score_gradient(scores.data(), costs.data(), 4, terms.data(), d.data());
  const auto log_loss = [&](std::size_t moved, double by) {
    double all = 0, gold = 0;
    for (std::size_t k = 0; k < 4; ++k) {
      const double e = std::exp(scores[k] + (k == moved ? by : 0.0));
      all += e;
      if (costs[k] == 0) gold += e;
    }
    return std::log(all) - std::log(gold);
  };
  float squares = 0;
  for (std::size_t k = 0; k < 4; ++k) {
    EXPECT_NEAR(d[k], (log_loss(k, 1e-5) - log_loss(k, -1e-5)) / 2e-5, 1e-6);
    squares += d[k] * d[k];
  }
  EXPECT_FLOAT_EQ(loss, squares);
}

TEST(ScoreGradient, IsZeroWhereNothingIsValidOrCheapEnough) {
  const std::vector<float> scores = {1, 2}, costs = {kInvalidCost, kInvalidCost};
  std::vector<float> d(2, 7.0F);
  std::vector<double> terms(2);
  EXPECT_EQ(score_gradient(scores.data(), costs.data(), 2, terms.data(), d.data()), 0);
  EXPECT_EQ(d, (std::vector<float>{0, 0}));
}

TEST(ScoreGradient, TakesTheBestOfCostOneWhereNothingIsFree) {
  const std::vector<float> scores = {1, 2, 3}, costs = {1, 1, 2};
  std::vector<float> d(3);
  std::vector<double> terms(3);
  score_gradient(scores.data(), costs.data(), 3, terms.data(), d.data());
  EXPECT_LT(d[0] + d[1], 0);
  EXPECT_GT(d[2], 0);
}

// Classes that cost more than one mistake are never learned from, however high they score.
TEST(BestGold, IsTheHighestScoreAmongTheCheapestUpToOneMistake) {
  const auto best = [](std::vector<float> scores, std::vector<float> costs) {
    return best_gold(scores.data(), costs.data(), static_cast<int>(costs.size()));
  };
  EXPECT_EQ(best({1, 5, 3}, {0, 0, 0}), 1);
  EXPECT_EQ(best({1, 5, 3}, {0, 1, 0}), 2);  // 1 costs more than it has to
  EXPECT_EQ(best({1, 5, 3}, {1, 1, 2}), 1);
  EXPECT_EQ(best({1, 5, 9}, {2, 1, 2}), 1);
  EXPECT_EQ(best({1, 5, 9}, {2, 3, 2}), -1);  // all cost more than one mistake
  EXPECT_EQ(best({9, 1}, {1.5F, 2}), -1);
  EXPECT_EQ(best({9, 1}, {kInvalidCost, 1}), 1);
  EXPECT_EQ(best({9, 1}, {kInvalidCost, kInvalidCost}), -1);
  EXPECT_EQ(best({3, 3}, {1, 1}), 0);  // the first of equals
  EXPECT_EQ(best({}, {}), -1);
}

// Actions that are not gold have no gradient of their own: none at all where nothing is gold.
TEST(BestGold, AStateWithoutOneTeachesNothing) {
  const float scores[] = {1, 2, 3}, costs[] = {2, 3, 2};
  double terms[3];
  float d[3] = {7, 7, 7};
  EXPECT_EQ(score_gradient(scores, costs, 3, terms, d), 0.0F);
  for (const float one : d) EXPECT_EQ(one, 0.0F);
  const float dear[] = {2, 1, 2};
  EXPECT_GT(score_gradient(scores, dear, 3, terms, d), 0.0F);
  EXPECT_LT(d[1], 0.0F);
  EXPECT_GT(d[0], 0.0F);
  EXPECT_GT(d[2], 0.0F);
}

}  // namespace
}  // namespace weft::transition
