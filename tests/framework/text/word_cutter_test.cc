#include "framework/text/word_cutter.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "framework/text/make_doc.h"

namespace weft {
namespace {

TokenizerRules rules() {
  TokenizerRules made;
  made.prefix_search = "^\\(";
  made.suffix_search = "\\)$|\\.$|,$";
  made.infix_finditer = "(?<=[a-z])-(?=[a-z])";
  made.special_cases = {{"a b", {{"a", {}}, {" b", "norm of b"}}},
                        {"don't", {{"do", {}}, {"n't", "not"}}}};
  return made;
}

class WordCutterTest : public testing::Test {
 protected:
  // make_doc without a cache: each token on its own.
  std::shared_ptr<const TokenTable> expected(const std::string& text, const Vocab& vocab) {
    const TokenizedText cut = tokenizer_.tokenize(text);
    TokenTableBuilder builder;
    for (const TokenSpan& token : cut.tokens) {
      const std::string word = text.substr(token.begin, token.length);
      const Lexeme lexeme = vocab.lexeme(word);
      builder.append(word, lexeme, token.space_after,
                     token.norm == 0 ? lexeme.norm : string_id(tokenizer_.norm(token.norm)));
    }
    return builder.finish();
  }

  void expect_same(const std::string& text, const Vocab& vocab) {
    const auto wanted = expected(text, vocab);
    const auto found = cutter_.cut(text, vocab, work_).tokens;
    ASSERT_EQ(found->size(), wanted->size()) << text;
    EXPECT_EQ(found->text(), wanted->text());
    EXPECT_EQ(found->has_own_norms(), wanted->has_own_norms()) << text;
    EXPECT_EQ(found->char_size(), wanted->char_size());
    for (std::size_t i = 0; i < found->size(); ++i) {
      EXPECT_EQ(found->word(i), wanted->word(i)) << text;
      EXPECT_EQ(found->space(i), wanted->space(i)) << text;
      EXPECT_EQ(found->flags(i), wanted->flags(i)) << text;
      EXPECT_EQ(found->char_start(i), wanted->char_start(i)) << text;
      for (const Attr attr : {Attr::orth, Attr::norm, Attr::prefix, Attr::suffix, Attr::shape}) {
        EXPECT_EQ(found->ids(attr)[i], wanted->ids(attr)[i]) << text;
      }
    }
  }

  Vocab vocab_{"en"};
  Tokenizer tokenizer_{rules()};
  TextCutter rules_{rules()};
  WordCutter cutter_{rules_};
  CutWorkspace work_;
};

TEST_F(WordCutterTest, GivesTheSameNewAndRemembered) {
  const std::string zero = std::string("nul\0here and nul\0here.", 22);
  const std::string long_word(40, 'x');
  for (int round = 0; round < 2; ++round) {
    for (const std::string& text :
         {std::string(), std::string(" "), std::string("a"), std::string("a  b "),
          std::string("They don't (well-known), a b."), std::string("Größe, größe.\u00a0x\u2003y"),
          std::string("tab\there\n\nline \n"), std::string("  two"), std::string("x "), zero,
          long_word + " " + long_word + "-" + long_word + ". " + long_word + ",",
          std::string(
              "abcdefghijklmnopqrstuvwx abcdefghijklmnopqrstuvwxy abcdefghijklmnopqrstuvw,"),
          std::string("a b a b (a b) a-b")}) {
      expect_same(text, vocab_);
    }
  }
}

TEST_F(WordCutterTest, MarksAReplacedFirstToken) {
  EXPECT_TRUE(cutter_.cut("a b", vocab_, work_).first_replaced);
  EXPECT_FALSE(cutter_.cut("x a b", vocab_, work_).first_replaced);
  EXPECT_FALSE(cutter_.cut("a  b", vocab_, work_).first_replaced);
}

TEST_F(WordCutterTest, TellsVocabsApart) {
  Vocab other("en");
  Lookups lookups;
  lookups.add(Lookups::kNorms, {{"word", "another norm"}});
  expect_same("word", vocab_);
  expect_same("word", other);
  other.set_lookups(lookups);
  expect_same("word", other);
  EXPECT_EQ(cutter_.cut("word", other, work_).tokens->ids(Attr::norm)[0],
            string_id("another norm"));
  expect_same("word don't", vocab_);
  cutter_.cut("don't", other, work_);
  EXPECT_TRUE(other.strings().find(string_id("not")).has_value());
}

TEST_F(WordCutterTest, GoesOnWhenMoreWordsCameThanItKeeps) {
  std::string text;
  for (std::size_t i = 0; i < ChunkTable::kTokens + 100; ++i) text += "w" + std::to_string(i) + " ";
  cutter_.cut(text, vocab_, work_);
  expect_same("w1, w2 and w65600 don't", vocab_);
  expect_same("w1, w2 and w65600 don't", vocab_);
}

}  // namespace
}  // namespace weft
