#include "framework/text/split_tokens.h"

#include <memory>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace weft {
namespace {

using ::testing::ElementsAre;

TEST(SplitTokens, PiecesHaveTheAnnotationOfTheirToken) {
  const auto vocab = std::make_shared<const Vocab>("en");
  Doc doc = Doc::from_words(vocab, {"abcde", "f"}, {true, false});
  const StringId first = vocab->strings().add("NN"), second = vocab->strings().add("VB");
  doc.set_column(Attr::tag, {first, second});
  doc.set_ents({{0, 1, vocab->strings().add("X")}});
  split_tokens(doc, 3, 2);
  EXPECT_EQ(doc.text(), "abcde f");
  EXPECT_THAT(doc.column(Attr::tag), ElementsAre(first, first, first, second));
  EXPECT_THAT(doc.ent_iobs(), ElementsAre(Iob::begin, Iob::in, Iob::in, Iob::out));
}

TEST(SplitTokens, PiecesStartNoSentenceWhereThereAreSentences) {
  const auto vocab = std::make_shared<const Vocab>("en");
  const Doc plain = Doc::from_words(vocab, {"abcd", "efgh"}, {true, false});
  Doc undecided = plain, sentences = plain;
  split_tokens(undecided, 3, 2);
  EXPECT_THAT(undecided.sent_starts(), ElementsAre(1, 0, 0, 0));
  sentences.set_sent_starts({1, 1});
  split_tokens(sentences, 3, 2);
  EXPECT_THAT(sentences.sent_starts(), ElementsAre(1, -1, 1, -1));
}

}  // namespace
}  // namespace weft
