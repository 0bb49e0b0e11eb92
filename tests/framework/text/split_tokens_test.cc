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

}  // namespace
}  // namespace weft
