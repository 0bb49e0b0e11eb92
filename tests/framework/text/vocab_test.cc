#include "framework/text/vocab.h"

#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "registry/base/error.h"

namespace weft {
namespace {

TEST(Vocab, LexemesAreTheSameInAndOutOfTheCache) {
  const Vocab tiny("en", 1);
  for (int round = 0; round < 2; ++round) {
    const Lexeme first = tiny.lexeme("Größe");
    for (int i = 0; i < 500; ++i) tiny.lexeme("w" + std::to_string(i));
    const Lexeme again = tiny.lexeme("Größe");
    EXPECT_EQ(first.orth, string_id("Größe"));
    EXPECT_EQ(first.norm, string_id("größe"));
    EXPECT_EQ(first.lower, first.norm);
    EXPECT_EQ(first.suffix, string_id("öße"));
    EXPECT_EQ(first.length, 5u);
    EXPECT_TRUE(first.has(Attr::is_title));
    EXPECT_EQ(again.norm, first.norm);
    EXPECT_EQ(again.flags, first.flags);
  }
}

// More words than the cache has places for at first, and than it has at all.
TEST(Vocab, LexemesAreTheSameWhileTheCacheGrows) {
  const Vocab vocab, none("xx", 1);
  std::vector<std::thread> threads;
  for (int thread = 0; thread < 2; ++thread) {
    threads.emplace_back([&] {
      for (int i = 0; i < 200'000; ++i) {
        const std::string word = "w" + std::to_string(i % 150'000);
        const Lexeme lexeme = vocab.lexeme(word);
        ASSERT_EQ(lexeme.orth, string_id(word));
        ASSERT_EQ(lexeme.suffix, none.lexeme(word).suffix);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

TEST(Vocab, WordsAreNotInterned) {
  const Vocab vocab;
  for (int i = 0; i < 1000; ++i) vocab.lexeme("w" + std::to_string(i));
  EXPECT_EQ(vocab.strings().size(), 0u);
}

TEST(Vocab, TableOfNormsGoesBeforeTheBaseNorms) {
  Vocab vocab;
  EXPECT_EQ(vocab.lexeme("dont").norm, string_id("dont"));
  Lookups lookups;
  lookups.add(Lookups::kNorms, {{"dont", "do not"}, {"€", "euro"}});
  vocab.set_lookups(lookups);
  EXPECT_EQ(vocab.lexeme("dont").norm, string_id("do not"));
  EXPECT_EQ(vocab.norm_of("€"), "euro");
  EXPECT_EQ(vocab.norm_of("£"), "$");
}

TEST(Vocab, ListsOfWords) {
  Vocab vocab;
  vocab.set_stop_words({"the"});
  vocab.set_number_words({"twenty", "#st"});
  EXPECT_TRUE(vocab.lexeme("The").has(Attr::is_stop));
  EXPECT_TRUE(vocab.lexeme("Twenty").has(Attr::like_num));
  EXPECT_TRUE(vocab.lexeme("-twenty.").has(Attr::like_num)) << "signs and points are no part of it";
  EXPECT_TRUE(vocab.lexeme("+1,001st").has(Attr::like_num));
  EXPECT_FALSE(vocab.lexeme("--twenty").has(Attr::like_num));
  EXPECT_FALSE(vocab.lexeme("Thee").has(Attr::is_stop));
}

TEST(Vocab, EveryEditionHasItsNumber) {
  Vocab vocab, other;
  const auto first = vocab.edition();
  EXPECT_NE(first, other.edition());
  EXPECT_EQ(vocab.edition(), first);
  vocab.set_stop_words({"the"});
  const auto second = vocab.edition();
  EXPECT_NE(second, first);
  vocab.set_lookups({});
  EXPECT_NE(vocab.edition(), second);
  EXPECT_NE(vocab.edition(), first);
}

TEST(Vocab, RefusesWhatIsNoWord) {
  const Vocab vocab;
  EXPECT_THROW(vocab.lexeme(""), Error);
  EXPECT_THROW(vocab.lexeme("a\xFF"), Error);
  EXPECT_THROW(vocab.lexeme("\xED\xA0\x80"), Error);
}

TEST(Vocab, SeveralThreadsAsk) {
  const Vocab vocab("xx", 64);
  std::vector<std::thread> threads;
  for (int thread = 0; thread < 4; ++thread) {
    threads.emplace_back([&] {
      for (int i = 0; i < 2000; ++i) {
        const std::string word = "Word" + std::to_string(i % 300);
        ASSERT_EQ(vocab.lexeme(word).orth, string_id(word));
        ASSERT_EQ(vocab.lexeme(word).prefix, string_id("W"));
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

}  // namespace
}  // namespace weft
