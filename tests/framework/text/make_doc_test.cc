#include "framework/text/make_doc.h"

#include <memory>

#include <gtest/gtest.h>

#include "framework/text/tokenizer.h"

namespace weft {
namespace {

TEST(MakeDoc, GivesSpecialNormsAndMarksTheFirstToken) {
  TokenizerRules rules;
  rules.special_cases = {{"don't", {{"do", {}}, {"n't", "not"}}}, {"a b", {{"a", {}}, {" b", {}}}}};
  const Tokenizer tokenizer(rules);
  const auto vocab = std::make_shared<Vocab>("en");
  const Doc doc = make_doc(tokenizer, vocab, "Don't don't");
  EXPECT_EQ(doc.norm(0), "don't");
  EXPECT_EQ(doc.norm(2), "not");
  EXPECT_EQ(doc.sent_starts()[0], 1);
  EXPECT_EQ(make_doc(tokenizer, vocab, "a b").sent_starts()[0], 0);
  EXPECT_EQ(doc.text(), "Don't don't");
}

}  // namespace
}  // namespace weft
