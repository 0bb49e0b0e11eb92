#include "framework/text/make_doc.h"

#include <memory>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "components/languages/language_data.h"
#include "registry/base/error.h"

namespace weft {
namespace {

TEST(MakeDoc, TakesNormsOfSpecialCases) {
  const Tokenizer tokenizer(language_tokenizer_rules("en"));
  const auto vocab = std::make_shared<Vocab>("en");
  const Doc doc = make_doc(tokenizer, vocab, "They don't.  ");
  ASSERT_EQ(doc.size(), 5);
  EXPECT_EQ(doc.text(), "They don't.  ");
  EXPECT_EQ(doc.word(2), "n't");
  EXPECT_EQ(doc.norm(2), "not");
  EXPECT_EQ(doc.norm(0), "they");
  EXPECT_TRUE(doc.is_space(4));
  EXPECT_TRUE(doc.tokens()->has_own_norms());
  EXPECT_FALSE(doc.has_unknown_spaces());
  EXPECT_TRUE(make_doc(tokenizer, vocab, "").empty());
  EXPECT_THROW(make_doc(tokenizer, vocab, "a\xff"), Error);
}

TEST(MakeDoc, ThreadsGiveTheSame) {
  const Tokenizer tokenizer(language_tokenizer_rules("en"));
  const auto vocab = std::make_shared<Vocab>("en", 64);  // so small that threads displace words
  std::string text;
  for (int i = 0; i < 300; ++i)
    text += "Word" + std::to_string(i) + " isn't (here), see a.b@c.org; ";
  const Doc expected = make_doc(tokenizer, vocab, text);
  std::vector<std::thread> threads;
  std::vector<int> wrong(4, 0);
  for (int& count : wrong) {
    threads.emplace_back([&] {
      for (int round = 0; round < 5; ++round) {
        const Doc doc = make_doc(tokenizer, vocab, text);
        count += doc.size() != expected.size() || doc.text() != expected.text();
        for (int i = 0; i < doc.size(); ++i) {
          count += doc.attr_ids(Attr::shape)[i] != expected.attr_ids(Attr::shape)[i];
          count += doc.attr_ids(Attr::norm)[i] != expected.attr_ids(Attr::norm)[i];
        }
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, std::vector<int>(4, 0));
}

}  // namespace
}  // namespace weft
