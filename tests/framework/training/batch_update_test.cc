#include "framework/training/batch_update.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/framework/pipeline/one_weight_component.h"

namespace weft {
namespace {

using ::testing::ElementsAre;

class BatchUpdateTest : public ::testing::Test {
 protected:
  BatchUpdateTest() {
    nlp_.add({"one", component_});
    component_->at_end = [this](Batch& batch) {
      parts_.push_back(static_cast<int>(batch.examples.size()));
    };
  }
  std::vector<ExamplePtr> batch(const std::vector<int>& lengths) const {
    std::vector<ExamplePtr> all;
    for (Example& example : testing::documents_of(nlp_, lengths)) {
      all.push_back(std::make_shared<Example>(std::move(example)));
    }
    return all;
  }
  double accumulate(std::size_t parts, const std::vector<int>& lengths) {
    ShardRunner runner(nlp_, pool_, {});
    const std::vector<ExamplePtr> all = batch(lengths);
    const std::vector<Example*> examples = examples_of(all);
    const StepBatch step{.examples = examples, .parts = parts};
    const double loss = run_shards(runner, step).at("one");
    EXPECT_EQ(runner.gradients().find(component_->weight())->data<float>()[0], loss);
    return loss;
  }

  Language nlp_{Config(), testing::plain_settings()};
  std::shared_ptr<testing::OneWeight> component_ = std::make_shared<testing::OneWeight>();
  WorkerPool pool_{1};
  std::vector<int> parts_;  // documents in each part
};

TEST_F(BatchUpdateTest, DocumentsGoFromShortToLongAndKeepTheirOrderOtherwise) {
  const std::vector<ExamplePtr> given = batch({3, 1, 3, 2});
  const std::vector<ExamplePtr> prepared = prepared_batch(given, TrainingSettings());
  EXPECT_THAT(prepared, ElementsAre(given[1], given[3], given[0], given[2]));
}

TEST_F(BatchUpdateTest, WhereComponentsAnnotateTheExamplesAreCopies) {
  const std::vector<ExamplePtr> given = batch({1, 2});
  TrainingSettings settings;
  settings.annotating_components = {"one"};
  const std::vector<ExamplePtr> prepared = prepared_batch(given, settings);
  ASSERT_EQ(prepared.size(), 2U);
  EXPECT_NE(prepared[0], given[0]);
  EXPECT_EQ(prepared[1]->size(), 2);
}

TEST_F(BatchUpdateTest, PartsAreOfEqualSizeAndWhatIsLeftIsOneMore) {
  EXPECT_EQ(accumulate(1, {1, 2, 3}), 6.0);
  EXPECT_THAT(parts_, ElementsAre(3));
  parts_.clear();
  EXPECT_EQ(accumulate(2, {1, 2, 3, 4, 5}), 15.0);
  EXPECT_THAT(parts_, ElementsAre(2, 2, 1));
  parts_.clear();
  EXPECT_EQ(accumulate(4, {1, 2, 3}), 6.0);  // more parts than documents
  EXPECT_THAT(parts_, ElementsAre(3));
}

TEST_F(BatchUpdateTest, OptionsComeFromTheSettings) {
  TrainingSettings settings;
  settings.seed = std::nullopt;
  settings.max_epochs = -1;
  settings.shuffle_window = 100;
  const TrainingBatches::Options options = batch_options(settings);
  EXPECT_EQ(options.seed, 0U);
  EXPECT_EQ(options.max_epochs, -1);
  EXPECT_EQ(options.shuffle_window, 100);
  EXPECT_EQ(options.misaligned, nullptr);
}

}  // namespace
}  // namespace weft
