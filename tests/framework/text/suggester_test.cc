// Spans that suggesters name, and their bounds.
#include "framework/text/suggester.h"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "registry/base/error.h"

namespace weft {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using Ranges = std::vector<TokenRange>;

Doc doc_of(int tokens) {
  return Doc::from_words(std::make_shared<Vocab>("en"),
                         std::vector<std::string>(static_cast<std::size_t>(tokens), "w"));
}

std::string message_of(const Suggester& suggester, const Doc& doc) {
  try {
    suggester.suggest(doc);
  } catch (const Error& error) {
    return error.what();
  }
  return "nothing";
}

TEST(Suggesters, TakeOneLengthAfterTheOther) {
  const Doc doc = doc_of(3);
  EXPECT_EQ(ngram_suggester({2, 1, 5, 2}).suggest(doc),
            (Ranges{{0, 2}, {1, 3}, {0, 1}, {1, 2}, {2, 3}, {0, 2}, {1, 3}}));
  EXPECT_EQ(ngram_range_suggester(2, 9).suggest(doc), (Ranges{{0, 2}, {1, 3}, {0, 3}}));
  EXPECT_THAT(ngram_range_suggester(3, 2).suggest(doc), IsEmpty());
  EXPECT_THAT(ngram_suggester({1}).suggest(doc_of(0)), IsEmpty());
}

TEST(Suggesters, TakeTheSpansOfAGroupAsTheyAre) {
  Doc doc = doc_of(4);
  const Suggester preset = preset_spans_suggester("cand");
  EXPECT_THAT(message_of(preset, doc), HasSubstr("no span group \"cand\""));
  EXPECT_EQ(preset.count(doc), 0U);
  doc.set_span_group("cand", {"cand", {}, {{2, 4}, {0, 1}, {2, 4}}});
  EXPECT_EQ(preset.suggest(doc), (Ranges{{2, 4}, {0, 1}, {2, 4}}));
  EXPECT_EQ(preset.count(doc), 3U);
}

TEST(Suggesters, CountWhatTheySuggest) {
  for (const int tokens : {0, 1, 2, 5, 40}) {
    const Doc doc = doc_of(tokens);
    for (const Suggester& suggester :
         {ngram_suggester({1, 2, 3}), ngram_suggester({4, 4}), ngram_range_suggester(2, 7),
          ngram_range_suggester(1, 2000000000), ngram_range_suggester(2000000000, 2147483647)}) {
      EXPECT_EQ(suggester.count(doc), suggester.suggest(doc).size()) << suggester.description;
    }
  }
}

// 1500 tokens have 1125750 spans: refused before any is made.
TEST(Suggesters, RefuseMoreSpansThanAreAllowed) {
  const Suggester all = ngram_range_suggester(1, 2147483647);
  const Doc large = doc_of(1500), small = doc_of(1400);
  EXPECT_THAT(message_of(all, large), HasSubstr("1125750 spans of a document of 1500 tokens"));
  EXPECT_EQ(all.count(large), 0U);
  EXPECT_EQ(all.suggest(small).size(), 1400U * 1401U / 2);
}

TEST(Suggesters, TellHowManySpansAndTokensThereAreForEachToken) {
  const Suggester suggester = ngram_suggester({1, 2, 3});
  EXPECT_EQ(suggester.spans_per_token, 3);
  EXPECT_EQ(suggester.tokens_per_token, 6);
  EXPECT_EQ(suggester.description, "spans of 1, 2, 3 tokens");
}

}  // namespace
}  // namespace weft
