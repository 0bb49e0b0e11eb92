#include "framework/training/unseen_labels.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/framework/pipeline/one_weight_component.h"

namespace weft {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;

class UnseenLabelsTest : public ::testing::Test {
 protected:
  UnseenLabelsTest() { nlp_.add({"ner", component_}); }
  Example example(std::initializer_list<std::string> tags) const {
    const std::vector<std::string> words(tags.size(), "w");
    return Example::from_tags(Doc::from_words(nlp_.vocab(), words), tags);
  }

  Language nlp_{Config(), testing::plain_settings()};
  std::shared_ptr<testing::OneWeight> component_ = std::make_shared<testing::OneWeight>();
};

TEST_F(UnseenLabelsTest, EntitiesThatNobodyCanFindAreCountedByLabel) {
  component_->known = {"ORG"};
  UnseenLabels unseen(nlp_);
  unseen.add(example({"U-ORG", "B-LOC", "L-LOC", "O", "U-DATE"}));
  unseen.add(example({"U-LOC", "O"}));
  EXPECT_THAT(unseen.counts(), ElementsAre(Pair("DATE", 1), Pair("LOC", 2)));
}

TEST_F(UnseenLabelsTest, LabelsThatComeLaterAreNotKnown) {
  component_->known = {"ORG"};
  UnseenLabels unseen(nlp_);
  component_->known = {"LOC", "ORG"};
  unseen.add(example({"U-LOC"}));
  EXPECT_THAT(unseen.counts(), ElementsAre(Pair("LOC", 1)));
}

TEST_F(UnseenLabelsTest, WithoutLabelsThereIsNothingToMiss) {
  UnseenLabels unseen(nlp_);
  unseen.add(example({"U-LOC"}));
  EXPECT_THAT(unseen.counts(), IsEmpty());
}

TEST_F(UnseenLabelsTest, DocumentsWithoutAnnotationSayNothing) {
  component_->known = {"ORG"};
  UnseenLabels unseen(nlp_);
  for (const Example& plain : testing::documents_of(nlp_, {3})) unseen.add(plain);
  EXPECT_THAT(unseen.counts(), IsEmpty());
}

}  // namespace
}  // namespace weft
