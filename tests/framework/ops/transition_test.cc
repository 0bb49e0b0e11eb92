#include "framework/ops/transition.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace weft::transition {
namespace {

constexpr std::uint64_t kA = 11, kB = 22;

// Annotation of a document in arrays, filled token by token.
struct Tokens {
  std::vector<std::uint8_t> iob;
  std::vector<std::uint64_t> type;
  std::vector<std::int8_t> sent_start;
  std::vector<std::uint8_t> is_space;

  explicit Tokens(std::size_t n) : iob(n), type(n), sent_start(n), is_space(n) {}
  TokenMarks view() const { return {iob.data(), type.data(), sent_start.data(), is_space.data()}; }
};

State at(int position, int length) {
  return {.first = 0, .length = length, .position = position};
}

State open_at(int position, int length, int start, std::uint64_t label) {
  return {
      .first = 0, .length = length, .position = position, .open_start = start, .open_label = label};
}

// The valid ones of B-A B-B I-A I-B L-A L-B U-A U-B U- O, as a string of their names.
std::string valid(const State& state, const Tokens& tokens) {
  const std::pair<const char*, Action> classes[] = {
      {"BA", {Move::begin, kA}}, {"BB", {Move::begin, kB}}, {"IA", {Move::in, kA}},
      {"IB", {Move::in, kB}},    {"LA", {Move::last, kA}},  {"LB", {Move::last, kB}},
      {"UA", {Move::unit, kA}},  {"UB", {Move::unit, kB}},  {"U-", {Move::unit, 0}},
      {"O", {Move::out, 0}}};
  const ValidMoves moves = valid_moves(state, tokens.view());
  std::string names;
  for (const auto& [name, action] : classes) {
    if (moves.allows(action)) names += (names.empty() ? "" : " ") + std::string(name);
  }
  return names;
}

TEST(ValidMoves, WithoutPresetAnnotation) {
  const Tokens tokens(3);
  EXPECT_EQ(valid(at(0, 3), tokens), "BA BB UA UB O");
  EXPECT_EQ(valid(at(2, 3), tokens), "UA UB O");  // the last token begins nothing
  EXPECT_EQ(valid(open_at(1, 3, 0, kA), tokens), "IA LA");
  EXPECT_EQ(valid(open_at(2, 3, 0, kB), tokens), "LB");
}

TEST(ValidMoves, OneTokenDocument) {
  EXPECT_EQ(valid(at(0, 1), Tokens(1)), "UA UB O");
}

TEST(ValidMoves, SentenceStartEndsWhatIsOpenBeforeIt) {
  Tokens tokens(3);
  tokens.sent_start[1] = 1;
  EXPECT_EQ(valid(at(0, 3), tokens), "UA UB O");
  tokens.sent_start = {0, 0, 1};
  EXPECT_EQ(valid(open_at(1, 3, 0, kA), tokens), "LA");
  tokens.sent_start = {0, 0, -1};
  EXPECT_EQ(valid(open_at(1, 3, 0, kA), tokens), "IA LA");
}

TEST(ValidMoves, WhiteSpaceStartsNothingButMayStandInsideAndAtTheEnd) {
  Tokens tokens(3);
  tokens.is_space = {1, 1, 1};
  EXPECT_EQ(valid(at(0, 3), tokens), "O");
  EXPECT_EQ(valid(open_at(1, 3, 0, kA), tokens), "IA LA");
}

TEST(ValidMoves, PresetEntityOfTwoTokens) {
  Tokens tokens(3);
  tokens.iob = {3, 1, 0};
  tokens.type = {kB, kB, 0};
  EXPECT_EQ(valid(at(0, 3), tokens), "BB");
  EXPECT_EQ(valid(open_at(1, 3, 0, kB), tokens), "LB");
  EXPECT_EQ(valid(open_at(1, 3, 0, kA), tokens), "LB");  // closes with the open label
  EXPECT_EQ(valid(at(1, 3), tokens), "UA UB");
}

TEST(ValidMoves, PresetEntityOfThreeTokensGoesOn) {
  Tokens tokens(4);
  tokens.iob = {3, 1, 1, 2};
  tokens.type = {kA, kA, kA, 0};
  EXPECT_EQ(valid(open_at(1, 4, 0, kA), tokens), "IA");
  EXPECT_EQ(valid(open_at(1, 4, 0, kB), tokens), "");
  EXPECT_EQ(valid(open_at(2, 4, 0, kA), tokens), "LA");
}

TEST(ValidMoves, PresetUnitAndBlockedToken) {
  Tokens tokens(2);
  tokens.iob = {3, 2};
  tokens.type = {kA, 0};
  EXPECT_EQ(valid(at(0, 2), tokens), "UA");
  tokens.type = {0, 0};
  EXPECT_EQ(valid(at(0, 2), tokens), "U-");
  EXPECT_EQ(valid(open_at(0, 2, 0, kA), tokens), "LA U-");
}

TEST(ValidMoves, PresetEntityBehindForbidsBeginAndIn) {
  Tokens tokens(3);
  tokens.iob = {0, 3, 1};
  tokens.type = {0, kA, kA};
  EXPECT_EQ(valid(at(0, 3), tokens), "UA UB O");
  tokens.iob = {0, 0, 3};
  tokens.type = {0, 0, kA};
  EXPECT_EQ(valid(open_at(1, 3, 0, kB), tokens), "LB");
}

TEST(ValidMoves, OutsideAnnotationDoesNotForceOut) {
  Tokens tokens(2);
  tokens.iob = {2, 2};
  EXPECT_EQ(valid(at(0, 2), tokens), "BA BB UA UB O");
}

TEST(Features, ThreeOfThem) {
  std::int32_t rows[3];
  State state = at(4, 9);
  state.first = 100;
  features(state, 3, rows);
  EXPECT_EQ(std::vector(rows, rows + 3), (std::vector<std::int32_t>{104, -1, -1}));
  state.open_start = 2;
  features(state, 3, rows);
  EXPECT_EQ(std::vector(rows, rows + 3), (std::vector<std::int32_t>{104, 102, 103}));
}

TEST(Features, SixOfThem) {
  std::int32_t rows[6];
  features(open_at(4, 9, 2, kA), 6, rows);
  EXPECT_EQ(std::vector(rows, rows + 6), (std::vector<std::int32_t>{4, 2, 3, -1, -1, -1}));
  features(open_at(8, 9, 1, kA), 6, rows);
  EXPECT_EQ(std::vector(rows, rows + 6), (std::vector<std::int32_t>{8, 1, 2, 3, 4, 5}));
  features(at(8, 9), 6, rows);
  EXPECT_EQ(std::vector(rows, rows + 6), (std::vector<std::int32_t>{8, -1, -1, -1, -1, -1}));
}

TEST(BestValid, FirstOfTheHighestAndNoneIfNothingIsValid) {
  const Action actions[] = {{Move::begin, kA}, {Move::unit, kA}, {Move::out, 0}};
  const float scores[] = {9, 1, 1};
  ValidMoves moves;
  EXPECT_EQ(best_valid(scores, actions, 3, moves), -1);
  moves.unit = moves.out = true;
  EXPECT_EQ(best_valid(scores, actions, 3, moves), 1);
}

}  // namespace
}  // namespace weft::transition
