#include "framework/text/token_rows.h"

#include <cstring>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace weft {
namespace {

using Rows = std::vector<std::vector<StringId>>;

std::string bytes_of(const Rows& rows) {
  std::string bytes;
  for (const auto& row : rows) {
    bytes.append(reinterpret_cast<const char*>(row.data()), row.size() * sizeof(StringId));
  }
  return bytes;
}

std::vector<std::uint32_t> numbers(std::initializer_list<Attr> attrs) {
  std::vector<std::uint32_t> result;
  for (const Attr attr : attrs) result.push_back(static_cast<std::uint32_t>(attr));
  return result;
}

void expect_rows(const TokenRows& table, const Rows& rows) {
  ASSERT_EQ(table.size(), rows.size());
  for (std::size_t column = 0; column < table.width(); ++column) {
    std::vector<StringId> values(rows.size());
    table.copy_column(column, 0, values);
    for (std::size_t i = 0; i < rows.size(); ++i) EXPECT_EQ(values[i], rows[i][column]) << i;
  }
}

TEST(TokenRows, GivesTheValuesBackWhereverTheWordsStand) {
  Rows rows;
  for (StringId i = 0; i < 500; ++i) rows.push_back({i % 3, 1000 + i % 70, i % 5, i % 70, i / 250});
  for (const auto& attrs :
       {numbers({Attr::ent_iob, Attr::orth, Attr::ent_type, Attr::norm, Attr::head}),
        numbers({Attr::orth, Attr::norm, Attr::lemma, Attr::ent_iob, Attr::ent_type}),
        numbers({Attr::lemma, Attr::orth, Attr::tag, Attr::dep, Attr::pos})}) {
    TokenRows table(attrs);
    EXPECT_TRUE(table.add(bytes_of(rows)));
    expect_rows(table, rows);
  }
}

TEST(TokenRows, TakesRowsInAnyPortions) {
  Rows rows;
  for (StringId i = 0; i < 200; ++i) rows.push_back({i % 20, i % 7});
  const std::string bytes = bytes_of(rows);
  TokenRows table(numbers({Attr::orth, Attr::ent_iob}));
  for (std::size_t at = 0; at < bytes.size(); at += 7 * 16) {
    EXPECT_TRUE(table.add(std::string_view(bytes).substr(at, 7 * 16)));
  }
  expect_rows(table, rows);
  EXPECT_EQ(table.word_count(), 20u);
  EXPECT_EQ(table.words()[21], 1u);
  EXPECT_EQ(table.word_value(1, 0), 1u);
}

TEST(TokenRows, SaysWhichColumnsHaveValues) {
  TokenRows table(numbers({Attr::orth, Attr::norm, Attr::ent_iob, Attr::head}));
  table.add(bytes_of({{5, 0, 0, 0}, {6, 7, 0, 0}, {5, 0, 2, 0}}));
  EXPECT_EQ(table.columns_with_values(0, 1), 0b0001u);
  EXPECT_EQ(table.columns_with_values(0, 2), 0b0011u);
  EXPECT_EQ(table.columns_with_values(2, 1), 0b0101u);
  EXPECT_EQ(table.columns_with_values(1, 0), 0u);
}

TEST(TokenRows, TellsWhenItIsFull) {
  TokenRows table(numbers({Attr::orth, Attr::head}));
  Rows rows;
  for (StringId i = 0; i < TokenRows::kOtherRows; ++i) rows.push_back({1, i});
  EXPECT_TRUE(table.add(bytes_of(rows)));
  expect_rows(table, rows);
  EXPECT_TRUE(table.add(bytes_of({{2, 3}})));
  EXPECT_FALSE(table.add(bytes_of({{2, TokenRows::kOtherRows}})));
}

TEST(TokenRows, HoldsNoColumnTwice) {
  EXPECT_TRUE(TokenRows::can_hold(numbers({Attr::orth})));
  EXPECT_FALSE(TokenRows::can_hold({}));
  EXPECT_FALSE(TokenRows::can_hold(numbers({Attr::orth, Attr::head, Attr::head})));
  std::vector<std::uint32_t> many(TokenRows::kWidest);
  for (std::uint32_t i = 0; i < many.size(); ++i) many[i] = i;
  EXPECT_TRUE(TokenRows::can_hold(many));
  many.push_back(1000);
  EXPECT_FALSE(TokenRows::can_hold(many));
}

}  // namespace
}  // namespace weft
