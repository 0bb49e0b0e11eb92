#include "framework/training/pretraining/masking.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "framework/text/example.h"
#include "framework/training/example_streams.h"

namespace weft {
namespace {

class MaskingTest : public testing::Test {
 protected:
  // So many documents of ten words.
  std::vector<Doc> docs(int count) const {
    std::vector<Doc> docs;
    for (int i = 0; i < count; ++i) {
      docs.push_back(
          Doc::from_words(vocab_, {"a", "b", "c", "d", "e", "f", "g", "h", "i", "j"},
                          {true, false, true, true, true, true, true, true, true, true}));
    }
    return docs;
  }
  RandomWords words() const {
    const auto stream = stream_of([this, left = 1]() mutable -> ExamplePtr {
      if (left-- == 0) return nullptr;
      return std::make_shared<Example>(Example::from_reference(Doc::from_words(vocab_, {"other"})));
    });
    return RandomWords::of_text(*stream, 1);
  }

  std::shared_ptr<Vocab> vocab_ = std::make_shared<Vocab>("en");
};

TEST_F(MaskingTest, SharesAreThoseOfTheReference) {
  const std::vector<Doc> texts = docs(4000);
  const MaskedTexts masked = mask_tokens(texts, words(), {.seed = 5, .step = 3});
  int hidden = 0, marks = 0, others = 0, same = 0;
  std::size_t token = 0;
  for (std::size_t d = 0; d < texts.size(); ++d) {
    ASSERT_EQ(masked.docs[d].size(), texts[d].size());
    for (int i = 0; i < texts[d].size(); ++i, ++token) {
      const std::string_view word = masked.docs[d].word(i);
      EXPECT_EQ(masked.docs[d].space(i), texts[d].space(i));
      if (masked.masked[token] == 0) {
        EXPECT_EQ(word, texts[d].word(i));
        continue;
      }
      ++hidden;
      marks += word == "[MASK]" ? 1 : 0;
      others += word == "other" ? 1 : 0;
      same += word == texts[d].word(i) ? 1 : 0;
    }
  }
  EXPECT_NEAR(hidden / 40'000.0, 0.15, 0.006);
  EXPECT_NEAR(marks / double(hidden), 0.8, 0.02);
  EXPECT_NEAR(others / double(hidden), 0.1, 0.015);
  EXPECT_NEAR(same / double(hidden), 0.1, 0.015);
}

TEST_F(MaskingTest, SeedStepAndSiteDecide) {
  const auto masked = [&](const MaskDraws& draws) {
    return mask_tokens(docs(20), words(), draws).masked;
  };
  EXPECT_EQ(masked({.seed = 1, .step = 2}), masked({.seed = 1, .step = 2}));
  EXPECT_NE(masked({.seed = 1, .step = 2}), masked({.seed = 1, .step = 3}));
  EXPECT_NE(masked({.seed = 1, .step = 2}), masked({.seed = 2, .step = 2}));
  EXPECT_NE(masked({.seed = 1, .step = 2}), masked({.seed = 1, .step = 2, .site = "dev"}));
}

// The norm that a tokenizer gave ("not" for "n't") is lost, for masked and other tokens.
TEST_F(MaskingTest, AttributesAreThoseOfTheBareWords) {
  const Doc doc = Doc::from_words(vocab_, {"It", "[MASK]"});
  const std::vector<Doc> made = with_words({doc}, {"N'T", "[MASK]"});
  EXPECT_EQ(made[0].norm(0), "n't");
  EXPECT_EQ(made[0].norm(1), "[mask]");
}

TEST_F(MaskingTest, EmptyDocumentsStayEmpty) {
  const MaskedTexts masked = mask_tokens({Doc(vocab_)}, words(), {});
  ASSERT_EQ(masked.docs.size(), 1U);
  EXPECT_TRUE(masked.docs[0].empty());
  EXPECT_TRUE(masked.masked.empty());
}

}  // namespace
}  // namespace weft
