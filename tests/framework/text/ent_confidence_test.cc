#include "framework/text/ent_confidence.h"

#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace weft {
namespace {

class EntConfidences : public ::testing::Test {
 protected:
  EntConfidences() {
    doc_.set_ents({{0, 2, person_}, {3, 4, place_}});
    const EntConfidence known[] = {{{0, 2, person_}, 0.25}, {{3, 4, place_}, 0.9}};
    set_ent_confidences(doc_, known);
  }

  Doc doc_ = Doc::from_words(std::make_shared<Vocab>("en"), {"Ada", "Byron", "in", "Oslo"});
  StringId person_ = doc_.vocab()->strings().add("PER"),
           place_ = doc_.vocab()->strings().add("LOC");
};

TEST_F(EntConfidences, BelongToPlaceAndLabel) {
  EXPECT_EQ(ent_confidence(doc_, {0, 2, person_}), 0.25);
  EXPECT_EQ(ent_confidence(doc_, {3, 4, place_}), 0.9);
  EXPECT_FALSE(ent_confidence(doc_, {0, 2, place_}));
  EXPECT_FALSE(ent_confidence(doc_, {0, 1, person_}));
  EXPECT_FALSE(ent_confidence(doc_, {1, 2, person_}));
}

TEST_F(EntConfidences, ACopyHasThem) {
  const Doc copy = doc_;
  EXPECT_EQ(ent_confidence(copy, {3, 4, place_}), 0.9);
}

TEST_F(EntConfidences, NumbersOutOfRangeAreMovedToItsEnds) {
  const EntConfidence known[] = {{{0, 2, person_}, 1.5}, {{3, 4, place_}, -1}};
  set_ent_confidences(doc_, known);
  EXPECT_EQ(ent_confidence(doc_, {0, 2, person_}), 1.0);
  EXPECT_EQ(ent_confidence(doc_, {3, 4, place_}), 0.0);
}

TEST_F(EntConfidences, EntitiesBelowALimitAreTakenAway) {
  drop_ents_below(doc_, 0.5);
  ASSERT_EQ(doc_.ents().size(), 1U);
  EXPECT_EQ(doc_.ents()[0].start, 3);
  EXPECT_EQ(doc_.ent_iob(0), Iob::out);
}

TEST_F(EntConfidences, EntitiesThatNobodyIsSureOfStay) {
  doc_.set_ents({{0, 2, place_}, {3, 4, place_}});
  drop_ents_below(doc_, 0.95);
  ASSERT_EQ(doc_.ents().size(), 1U);
  EXPECT_EQ(doc_.ents()[0].start, 0);
}

}  // namespace
}  // namespace weft
