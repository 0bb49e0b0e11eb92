#include "framework/training/unseen_labels.h"

#include <map>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "framework/parser/entity_annotation.h"
#include "tests/framework/pipeline/one_weight_component.h"

namespace weft {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;

class UnseenLabelsTest : public ::testing::Test {
 protected:
  UnseenLabelsTest() {
    component_->kind = &entity_annotation();
    nlp_.add({"ner", component_});
  }
  Example example(std::initializer_list<std::string> tags) const {
    const std::vector<std::string> words(tags.size(), "w");
    return Example::from_tags(Doc::from_words(nlp_.vocab(), words), tags);
  }

  using Counts = std::map<std::string, std::int64_t>;
  static Counts counts(const UnseenLabels& unseen) {
    Counts all;
    for (const UnseenLabel& label : unseen.found()) all[label.label] += label.count;
    return all;
  }

  Language nlp_{Config(), testing::plain_settings()};
  std::shared_ptr<testing::OneWeight> component_ = std::make_shared<testing::OneWeight>();
};

TEST_F(UnseenLabelsTest, EntitiesThatNobodyCanFindAreCountedByLabel) {
  component_->known = {"ORG"};
  UnseenLabels unseen(nlp_);
  unseen.add(example({"U-ORG", "B-LOC", "L-LOC", "O", "U-DATE"}));
  unseen.add(example({"U-LOC", "O"}));
  EXPECT_THAT(counts(unseen), ElementsAre(Pair("DATE", 1), Pair("LOC", 2)));
}

// Every document has one thing of the kind, labelled LOC.
class Places final : public AnnotationKind {
 public:
  std::vector<std::string> labels_in(const Doc&) const override { return {"LOC"}; }
  Names names() const override { return {"places", "place_labels"}; }
  std::string text_of(const Doc&) const override { return {}; }
  void check_presence(const PlacedDoc&, const DataSink&) const override {}
  void check(const PlacedDoc&, const Doc*, const DataSink&) const override {}
};

TEST_F(UnseenLabelsTest, AnotherKindsLabelHidesNone) {
  const Places places;
  const auto other = std::make_shared<testing::OneWeight>();
  other->kind = &places;
  nlp_.add({"places", other});
  component_->known = {"ORG"};
  other->known = {"LOC"};
  UnseenLabels unseen(nlp_);
  unseen.add(example({"U-LOC"}));
  EXPECT_THAT(counts(unseen), ElementsAre(Pair("LOC", 1)));
  component_->known = {"LOC"};
  other->known = {"ORG"};
  UnseenLabels of_places(nlp_);
  of_places.add(example({"O"}));
  EXPECT_THAT(counts(of_places), ElementsAre(Pair("LOC", 1)));
}

TEST_F(UnseenLabelsTest, ComponentsOfOneKindShareLabels) {
  const auto second = std::make_shared<testing::OneWeight>();
  second->kind = &entity_annotation();
  second->known = {"LOC"};
  nlp_.add({"second", second});
  component_->known = {"ORG"};
  UnseenLabels unseen(nlp_);
  unseen.add(example({"U-ORG", "U-LOC", "U-DATE"}));
  EXPECT_THAT(counts(unseen), ElementsAre(Pair("DATE", 1)));
}

TEST_F(UnseenLabelsTest, LabelsThatComeLaterAreNotKnown) {
  component_->known = {"ORG"};
  UnseenLabels unseen(nlp_);
  component_->known = {"LOC", "ORG"};
  unseen.add(example({"U-LOC"}));
  EXPECT_THAT(counts(unseen), ElementsAre(Pair("LOC", 1)));
}

TEST_F(UnseenLabelsTest, LabelsThatTrainingBringsAreNone) {
  component_->known = {"ORG"};
  UnseenLabels unseen(nlp_);
  unseen.add(example({"U-LOC", "U-DATE"}));
  EXPECT_TRUE(unseen.needs_training_data());
  unseen.add_trained(example({"U-LOC", "O"}));
  EXPECT_THAT(counts(unseen), ElementsAre(Pair("DATE", 1)));
  unseen.add_trained(example({"U-DATE"}));
  EXPECT_FALSE(unseen.needs_training_data());
  EXPECT_THAT(counts(unseen), IsEmpty());
}

TEST_F(UnseenLabelsTest, FrozenComponentsLearnNoLabel) {
  component_->known = {"ORG"};
  UnseenLabels unseen(nlp_, {"ner"});
  unseen.add(example({"U-LOC", "U-DATE"}));
  unseen.add_trained(example({"U-LOC"}));
  const std::vector<UnseenLabel> found = unseen.found();
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].label, "DATE");
  EXPECT_FALSE(found[0].is_trained_on);
  EXPECT_EQ(found[1].label, "LOC");
  EXPECT_TRUE(found[1].is_trained_on);
}

TEST_F(UnseenLabelsTest, WithoutLabelsThereIsNothingToMiss) {
  UnseenLabels unseen(nlp_);
  unseen.add(example({"U-LOC"}));
  EXPECT_THAT(counts(unseen), IsEmpty());
}

TEST_F(UnseenLabelsTest, DocumentsWithoutAnnotationSayNothing) {
  component_->known = {"ORG"};
  UnseenLabels unseen(nlp_);
  for (const Example& plain : testing::documents_of(nlp_, {3})) unseen.add(plain);
  EXPECT_THAT(counts(unseen), IsEmpty());
}

}  // namespace
}  // namespace weft
