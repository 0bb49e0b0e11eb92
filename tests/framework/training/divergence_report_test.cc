#include "framework/training/divergence_report.h"

#include <limits>
#include <memory>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "framework/text/example.h"
#include "framework/text/vocab.h"

namespace weft {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();
constexpr float kInfinity = std::numeric_limits<float>::infinity();

class DivergenceReportTest : public testing::Test {
 protected:
  ExamplePtr example(std::int64_t number, const std::string& word) {
    auto made = std::make_shared<Example>(
        Example::from_reference(Doc::from_words(vocab_, {std::string_view(word)}, {false})));
    made->set_number(number);
    return made;
  }
  std::vector<ExamplePtr> batch(int count) {
    std::vector<ExamplePtr> all;
    for (int i = 1; i <= count; ++i) all.push_back(example(i * 10, "w" + std::to_string(i)));
    return all;
  }
  static StepBatch step_of(std::uint64_t number, const std::vector<ExamplePtr>& documents) {
    static std::vector<Example*> examples;
    examples = examples_of(documents);
    return {.number = number, .examples = examples};
  }
  static std::string listed(const std::vector<ExamplePtr>& documents, std::size_t most = 8) {
    return list_documents(examples_of(documents), most);
  }
  // A gradient of two numbers for the parameter.
  void give(const Parameter& parameter, float first, float second) {
    Tensor& gradient = gradients_.of(parameter);
    gradient.data<float>()[0] = first;
    gradient.data<float>()[1] = second;
  }

  std::shared_ptr<const Vocab> vocab_ = std::make_shared<Vocab>("xx");
  Parameter early_{"E", Tensor::zeros({2})};
  Parameter middle_{"W", Tensor::zeros({2})};
  Parameter late_{"b", Tensor::zeros({2})};
  std::vector<NamedParameter> named_{{"tok2vec/1/embed/E", &early_, "tok2vec", "embed", 1},
                                     {"ner/3/a/b/W", &middle_, "ner", "a/b", 3},
                                     {"ner/4/linear/b", &late_, "ner", "linear", 4}};
  Gradients gradients_;
};

TEST_F(DivergenceReportTest, TheFirstInTheOrderOfThePipelineIsNamedAndAllAreCounted) {
  give(late_, kNaN, 0.0F);
  give(middle_, 1.0F, -kInfinity);
  give(early_, 1.0F, 2.0F);
  const BadGradients bad = find_bad_gradients(named_, gradients_);
  EXPECT_EQ(bad.first, &named_[1]);
  EXPECT_EQ(bad.count, 2u);
}

TEST_F(DivergenceReportTest, FiniteAndMissingGradientsAreFine) {
  give(early_, 3.4e38F, -3.4e38F);
  const BadGradients bad = find_bad_gradients(named_, gradients_);
  EXPECT_EQ(bad.first, nullptr);
  EXPECT_EQ(bad.count, 0u);
}

TEST_F(DivergenceReportTest, OneRowOfATableIsEnough) {
  Parameter table{"E", Tensor::zeros({5, 2})};
  const std::vector<NamedParameter> named{{"tok2vec/0/hashembed/E", &table}};
  std::vector<std::int32_t> rows = {3};
  const View values = gradients_.rows_of(table).touch(rows);
  values.row<float>(rows[0])[1] = kNaN;
  EXPECT_EQ(find_bad_gradients(named, gradients_).first, named.data());
}

TEST_F(DivergenceReportTest, TheMessageNamesStepComponentLayerParameterAndDocuments) {
  const auto documents = batch(2);
  const std::string message = divergence_message(step_of(17, documents), "", {&named_[1], 3});
  EXPECT_THAT(message, HasSubstr("diverged in step 17:"));
  EXPECT_THAT(message, HasSubstr("component 'ner', layer 3 'a/b', parameter W"));
  EXPECT_THAT(message, HasSubstr("2 more parameters"));
  EXPECT_THAT(message, HasSubstr("documents 10 (\"w1\"), 20 (\"w2\");"));
  EXPECT_THAT(message, HasSubstr("nothing of this step was applied"));
}

TEST_F(DivergenceReportTest, ALossWithoutABadGradientIsSaidAlone) {
  const auto documents = batch(1);
  const StepBatch step = step_of(2, documents);
  const std::string message = divergence_message(step, "the loss of 'ner' is nan", BadGradients());
  EXPECT_THAT(message, HasSubstr("step 2: the loss of 'ner' is nan, the batch"));
  EXPECT_THAT(message, Not(HasSubstr("gradient")));
  // One that no pipeline has is called by its name.
  const NamedParameter plain{"plain", &late_};
  EXPECT_THAT(divergence_message(step, "", {&plain, 1}), HasSubstr("gradient of plain"));
}

TEST_F(DivergenceReportTest, ListsAreCutAndTextsAreEscaped) {
  EXPECT_THAT(listed(batch(11)), HasSubstr("80 (\"w8\") and 3 more"));
  EXPECT_EQ(listed(batch(2), 1), "10 (\"w1\") and 1 more");
  const std::vector<ExamplePtr> hostile = {example(1, "\x1b[31mred")};
  EXPECT_THAT(listed(hostile), Not(HasSubstr("\x1b")));
  // Cut between characters: 40 bytes would end within one of two bytes.
  const std::vector<ExamplePtr> longer = {
      example(1, std::string(39, 'a').append("\xc3\xa9").append(20, 'b'))};
  EXPECT_EQ(listed(longer), "1 (\"" + std::string(39, 'a') + " ...\")");
}

}  // namespace
}  // namespace weft
