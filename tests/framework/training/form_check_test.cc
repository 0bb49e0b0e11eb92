#include "framework/training/form_check.h"

#include <memory>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "framework/tagging/token_annotation.h"

namespace weft {
namespace {

PlacedDoc tagged(const std::shared_ptr<const Vocab>& vocab, int count, const char* word,
                 const char* tag) {
  const std::vector<std::string> words(static_cast<std::size_t>(count), word);
  PlacedDoc placed{Doc::from_words(vocab, words), "a.spacy", 0, 1, true};
  placed.doc.set_column(Attr::tag, std::vector<StringId>(words.size(), vocab->strings().add(tag)));
  return placed;
}

std::vector<DataProblem> problems_of(const FormCheck& check) {
  std::vector<DataProblem> problems;
  check.finish(tag_annotation(), [&](DataProblem problem) { problems.push_back(problem); });
  return problems;
}

TEST(FormCheck, TellsOfTheOneTokenThatDiffers) {
  const auto vocab = std::make_shared<Vocab>("en");
  FormCheck check;
  check.add(tagged(vocab, 18, "the", "DT"), tag_annotation());
  check.add(tagged(vocab, 1, "the", "NN"), tag_annotation());
  EXPECT_TRUE(problems_of(check).empty()) << "too few to tell";
  check.add(tagged(vocab, 3, "the", "DT"), tag_annotation());
  check.add(tagged(vocab, 1, "rare", "NN"), tag_annotation());
  const auto problems = problems_of(check);
  ASSERT_EQ(problems.size(), 1U);
  EXPECT_EQ(problems[0].label, "NN");
  EXPECT_EQ(problems[0].text, "the");
  EXPECT_EQ(problems[0].file, "a.spacy");
  EXPECT_EQ(problems[0].end, 3);
  EXPECT_THAT(problems[0].message, testing::HasSubstr("21 have DT"));
}

TEST(FormCheck, AWordMayHaveManyLabels) {
  const auto vocab = std::make_shared<Vocab>("en");
  FormCheck check;
  check.add(tagged(vocab, 200, "the", "DT"), tag_annotation());
  for (int label = 0; label < 160; ++label) {  // 80 of them, the last one once
    const std::string tag = "T" + std::to_string(label % 80);
    if (label < 159) check.add(tagged(vocab, 1, "the", tag.c_str()), tag_annotation());
  }
  const auto problems = problems_of(check);
  ASSERT_EQ(problems.size(), 1U);
  EXPECT_EQ(problems[0].label, "T79");
  EXPECT_THAT(problems[0].message, testing::HasSubstr("200 have DT"));
}

TEST(FormCheck, AWordThatIsThisAsOftenAsThatIsFine) {
  const auto vocab = std::make_shared<Vocab>("en");
  FormCheck check;
  for (const char* tag : {"A", "B", "C"}) check.add(tagged(vocab, 9, "her", tag), tag_annotation());
  check.add(tagged(vocab, 1, "her", "D"), tag_annotation());
  EXPECT_TRUE(problems_of(check).empty());
}

}  // namespace
}  // namespace weft
