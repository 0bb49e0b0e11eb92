#include "framework/pipeline/shape_sample.h"

#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "framework/text/example.h"

namespace weft {
namespace {

class ShapeSampleTest : public testing::Test {
 protected:
  // Documents of so many words each.
  std::vector<ExamplePtr> sample(const std::vector<int>& lengths) {
    std::vector<ExamplePtr> examples;
    for (const int length : lengths) {
      const std::vector<std::string> words(static_cast<std::size_t>(length), "word");
      Doc doc = Doc::from_words(vocab_, words);
      examples.push_back(std::make_shared<Example>(Example::from_reference(std::move(doc))));
    }
    return examples;
  }
  std::size_t taken(const std::vector<int>& lengths) {
    return shape_sample(sample(lengths), ExampleSide::predicted).docs.size();
  }

  std::shared_ptr<Vocab> vocab_ = std::make_shared<Vocab>("xx");
};

TEST_F(ShapeSampleTest, EndsWhereAHundredTokensAreThere) {
  EXPECT_EQ(taken({40, 40, 40, 40, 40}), 3U);
  EXPECT_EQ(taken({0, 0, 99, 1, 7}), 4U);
}

TEST_F(ShapeSampleTest, TakesTwoDocumentsAtLeastAndNoMoreThanThereAre) {
  EXPECT_EQ(taken({500, 500, 500}), 2U);
  EXPECT_EQ(taken({3, 3}), 2U);
  EXPECT_EQ(taken({500}), 1U);
  EXPECT_EQ(taken({}), 0U);
}

// One of 200,000 tokens would take gigabytes.
TEST_F(ShapeSampleTest, TakesTheBeginningOfALongDocument) {
  const std::vector<ExamplePtr> examples = sample({1000, 1001});
  const ShapeSample found = shape_sample(examples, ExampleSide::predicted);
  ASSERT_EQ(found.docs.size(), 2U);
  EXPECT_EQ(found.docs[0], &std::as_const(*examples[0]).predicted());
  EXPECT_EQ(found.docs[1]->size(), 1000);
  EXPECT_EQ(found.docs[1]->word(999), "word");
}

// 65,536 numbers for each of 2,000 tokens would take half a gigabyte.
TEST_F(ShapeSampleTest, TakesFewerTokensWhereEachGetsManyValues) {
  const std::vector<ExamplePtr> examples = sample({1000, 1, 7, 1000, 30, 30, 30, 30});
  const auto tokens_of = [&](std::int64_t values) {
    std::int64_t tokens = 0;
    const ShapeSample found = shape_sample(examples, ExampleSide::predicted, values);
    for (const Doc* doc : found.docs) tokens += doc->size();
    return tokens;
  };
  EXPECT_EQ(tokens_of(1), 1001);
  EXPECT_EQ(tokens_of(1000), 1001) << "ordinary pipelines see the same";
  for (const std::int64_t values : {10'000, 65'536, 400'000}) {
    EXPECT_GE(tokens_of(values), 2) << values;
    EXPECT_LE(tokens_of(values) * values, std::int64_t{1} << 22) << values;
  }
}

TEST_F(ShapeSampleTest, GivesTheSideThatWasAskedFor) {
  const std::vector<ExamplePtr> examples = sample({2});
  EXPECT_EQ(shape_sample(examples, ExampleSide::reference).docs[0], &examples[0]->reference());
  EXPECT_EQ(shape_sample(examples, ExampleSide::predicted).docs[0],
            &std::as_const(*examples[0]).predicted());
}

}  // namespace
}  // namespace weft
