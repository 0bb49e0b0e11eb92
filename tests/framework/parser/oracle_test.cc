// A transition system that is not that of entities: code for any system runs it.
#include "framework/parser/oracle.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "framework/ops/transition_steps.h"

namespace weft {
namespace {

using ::testing::ElementsAre;

// Parts a document into pieces of one or two tokens; marks say where two tokens stick together.
struct Pieces {
  static constexpr std::string_view parse_name = "pieces_parse";
  static constexpr std::string_view train_name = "pieces_train";
  struct State {
    int position = 0, length = 0;
    bool is_final() const { return position >= length; }
    int row() const { return position; }
  };
  using Action = int;  // tokens to take
  using Marks = const bool*;
  using Gold = std::span<const int>;  // of each token the length of the piece that it begins
  struct BatchGold {
    Gold all;
    Gold of(std::size_t) const { return all; }
  };
  struct Valid {
    int most = 0;
    bool allows(Action tokens) const { return tokens <= most; }
  };
  static Valid valid(const State& state, const Marks& sticks) {
    return {state.length - state.position > 1 && sticks[state.position] ? 2 : 1};
  }
  static int steps_left(const State& state) { return state.length - state.position; }
  static transition::ParseStep step_of(const State& start, int round) {
    return {start.position, round};
  }
  static void apply(State& state, Action tokens) { state.position += tokens; }
  static void features(const State& state, int count, std::int32_t* rows) {
    for (int f = 0; f < count; ++f) rows[f] = state.position;
  }
  static void fill_costs(const State& state, const Action* actions, int count, const Valid& valid,
                         const Gold& gold, float* costs) {
    for (int k = 0; k < count; ++k) {
      const bool right = actions[k] == gold[static_cast<std::size_t>(state.position)];
      costs[k] = !valid.allows(actions[k]) ? transition::kInvalidCost : right ? 0.0F : 1.0F;
    }
  }
};
static_assert(transition::System<Pieces>);

TEST(Oracle, AnySystemIsCutAlongItsGold) {
  const bool sticks[] = {true, true, true, false, true};
  const std::vector<int> actions = {1, 2}, gold = {1, 2, 1, 2, 1};
  const Oracle<Pieces> oracle{actions, sticks, gold};
  std::vector<int> starts;
  for (const Pieces::State& state : cut_along_oracle<Pieces>({0, 5}, oracle, 1)) {
    starts.push_back(state.position);
  }
  EXPECT_THAT(starts, ElementsAre(0, 1, 3, 4)) << "a piece of two is not valid at token 3";
  EXPECT_EQ(cut_along_oracle<Pieces>({0, 5}, oracle, 3).size(), 2U);
}

TEST(Oracle, WithoutAValidActionTheParseEnds) {
  const bool sticks[] = {false, false};
  const std::vector<int> actions = {2}, gold = {2, 2};
  std::vector<float> costs(1);
  const Oracle<Pieces> oracle{actions, sticks, gold};
  EXPECT_EQ(oracle_class<Pieces>({0, 2}, oracle, costs), -1);
  EXPECT_EQ(cut_along_oracle<Pieces>({0, 2}, oracle, 1).size(), 1U);
}

TEST(Oracle, OpsOfASystemHaveTheirNames) {
  EXPECT_EQ(TransitionParseOf<Pieces>::name, "pieces_parse");
  EXPECT_EQ(TransitionTrain::name, "transition_train");
}

}  // namespace
}  // namespace weft
