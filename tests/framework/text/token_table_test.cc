#include "framework/text/token_table.h"

#include <memory>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "framework/text/vocab.h"
#include "registry/base/error.h"

namespace weft {
namespace {

using ::testing::ElementsAre;
using ::testing::ElementsAreArray;

const std::vector<std::string> kTexts = {"Das", "kostet", "3€", "!", "Das"};

TokenWord word_of(const Vocab& vocab, const std::string& text) {
  const Lexeme lexeme = vocab.lexeme(text);
  return {lexeme.orth,
          lexeme.norm,
          lexeme.prefix,
          lexeme.suffix,
          lexeme.shape,
          text.data(),
          static_cast<std::uint32_t>(text.size()),
          lexeme.length,
          lexeme.flags};
}

std::vector<StringId> ids(const TokenTable& table, Attr attr) {
  return {table.ids(attr).begin(), table.ids(attr).end()};
}

void expect_same(const TokenTable& a, const TokenTable& b) {
  EXPECT_EQ(a.text(), b.text());
  EXPECT_EQ(a.char_size(), b.char_size());
  EXPECT_EQ(a.has_own_norms(), b.has_own_norms());
  ASSERT_EQ(a.size(), b.size());
  for (const Attr attr : {Attr::orth, Attr::norm, Attr::prefix, Attr::suffix, Attr::shape}) {
    EXPECT_THAT(a.ids(attr), ElementsAreArray(ids(b, attr)));
  }
  for (std::size_t i = 0; i < a.size(); ++i) {
    EXPECT_EQ(a.word(i), b.word(i));
    EXPECT_EQ(a.space(i), b.space(i));
    EXPECT_EQ(a.flags(i), b.flags(i));
    EXPECT_EQ(a.char_start(i), b.char_start(i));
    EXPECT_EQ(a.char_end(i), b.char_end(i));
  }
}

class TableOfWords : public ::testing::Test {
 protected:
  void SetUp() override {
    for (const std::string& text : kTexts) words_.push_back(word_of(vocab_, text));
  }

  // The same by appending token after token.
  std::shared_ptr<const TokenTable> appended(const std::vector<std::uint32_t>& tokens,
                                             const std::vector<StringId>& norms,
                                             const std::string& spaces) const {
    TokenTableBuilder builder;
    for (std::size_t i = 0; i < tokens.size(); ++i) {
      const std::string& text = kTexts[tokens[i]];
      const Lexeme lexeme = vocab_.lexeme(text);
      const bool own = !norms.empty() && norms[i] != 0;
      builder.append(text, lexeme, spaces.empty() || spaces[i] != 0, own ? norms[i] : lexeme.norm);
    }
    return builder.finish();
  }

  const Vocab vocab_{"de"};
  std::vector<TokenWord> words_;
};

TEST_F(TableOfWords, IsTheTableOfTheBuilder) {
  const std::vector<std::uint32_t> tokens = {0, 1, 2, 3, 0, 0};
  const std::string spaces("\1\1\0\1\1\0", 6);
  expect_same(*table_of_words(words_, tokens, {}, spaces), *appended(tokens, {}, spaces));
  expect_same(*table_of_words(words_, tokens, {}, ""), *appended(tokens, {}, ""));
  const std::vector<std::uint32_t> ascii = {0, 1, 3};
  expect_same(*table_of_words(words_, ascii, {}, ""), *appended(ascii, {}, ""));
}

TEST_F(TableOfWords, TakesNormsOfTokens) {
  const std::vector<std::uint32_t> tokens = {0, 1, 2};
  const std::vector<StringId> norms = {0, words_[1].norm, string_id("3 Euro")};
  const auto table = table_of_words(words_, tokens, norms, "");
  expect_same(*table, *appended(tokens, norms, ""));
  EXPECT_THAT(ids(*table, Attr::norm),
              ElementsAre(words_[0].norm, words_[1].norm, string_id("3 Euro")));
  EXPECT_TRUE(table->has_own_norms());
  EXPECT_FALSE(table->with_plain_norms(vocab_)->has_own_norms());
  const std::vector<StringId> same = {words_[0].norm, 0, 0};
  EXPECT_FALSE(table_of_words(words_, tokens, same, "")->has_own_norms());
}

TEST_F(TableOfWords, TakesTheTextWhereItIsAtHand) {
  const std::vector<std::uint32_t> tokens = {0, 2, 3};
  const std::string spaces("\1\0\1", 3);
  std::vector<TokenWord> words = words_;
  const auto wanted = table_of_words(words, tokens, {}, spaces);
  for (TokenWord& word : words) word.text = nullptr;
  const std::string text(wanted->text());
  expect_same(*table_of_text(text, words, tokens, spaces), *wanted);
  words[2].own_norm = true;
  EXPECT_TRUE(table_of_text(text, words, tokens, spaces)->has_own_norms());
}

TEST_F(TableOfWords, CopiesTextsOutOfAStringTable) {
  StringTable strings;
  std::vector<TokenWord> words;
  std::vector<std::uint32_t> tokens;
  std::string expected;
  for (const std::size_t size : {1u, 3u, 7u, 15u, 16u, 17u, 40u, 2u}) {
    const StringId id = strings.add(std::string(size, static_cast<char>('a' + size % 26)));
    words.push_back(token_word(*strings.find(id), vocab_.lexeme(*strings.find(id))));
    words.back().padded = true;
    tokens.push_back(static_cast<std::uint32_t>(tokens.size()));
    expected += std::string(*strings.find(id)) + (size == 16 || size == 2 ? "" : " ");
  }
  const std::string spaces("\1\1\1\1\0\1\1\0", 8);
  EXPECT_EQ(table_of_words(words, tokens, {}, spaces)->text(), expected);
}

TEST_F(TableOfWords, MayBeEmpty) {
  const auto table = table_of_words(words_, {}, {}, "");
  EXPECT_EQ(table->size(), 0u);
  EXPECT_EQ(table->text(), "");
  EXPECT_EQ(table->char_size(), 0u);
}

TEST_F(TableOfWords, FindsTokensByCharacters) {
  const std::vector<std::uint32_t> tokens = {2, 3, 0};
  const auto table = table_of_words(words_, tokens, {}, std::string("\0\1\0", 3));
  EXPECT_EQ(table->text(), "3€! Das");
  EXPECT_EQ(table->byte_start(1), 4u);
  EXPECT_EQ(table->token_starting_at(2), 1);
  EXPECT_EQ(table->token_starting_at(3), -1);
  EXPECT_EQ(table->token_ending_at(7), 2);
  EXPECT_EQ(table->token_ending_at(4), -1) << "a space ends no token";
  const auto part = table->slice(1, 3);
  EXPECT_EQ(part->text(), "! Das");
  EXPECT_EQ(part->token_starting_at(2), 1);
  EXPECT_EQ(table->slice(2, 2)->size(), 0u);
}

// Documents ask for the end of their last token once for each span: counting the characters of its
// word each time, these questions look at 4 TB.
TEST(TokenTable, KnowsTheEndOfALongLastWord) {
  constexpr std::size_t kLength = 2'000'000;
  std::string word;
  for (std::size_t i = 0; i < kLength; ++i) word += "é";
  const Vocab vocab("xx");
  for (const bool space : {false, true}) {
    TokenTableBuilder builder;
    builder.append("é", vocab.lexeme("é"), true);
    builder.append(word, vocab.lexeme(word), space);
    const auto table = builder.finish();
    std::size_t found = 0;
    for (int i = 0; i < 500'000; ++i) found += table->token_ending_at(kLength + 2) == 1 ? 1 : 0;
    EXPECT_EQ(found, 500'000U);
    EXPECT_EQ(table->char_end(1), kLength + 2);
    EXPECT_EQ(table->char_size(), kLength + (space ? 3 : 2));
    EXPECT_EQ(table->slice(1, 2)->char_end(0), kLength);
    EXPECT_EQ(table->slice(0, 1)->char_size(), 2U);
  }
}

TEST(TokenTable, HoldsFiveColumns) {
  EXPECT_THROW(TokenTable().ids(Attr::lemma), Error);
}

}  // namespace
}  // namespace weft
