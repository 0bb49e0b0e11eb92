#include "framework/pipeline/prediction_groups.h"

#include <gtest/gtest.h>

namespace weft {
namespace {

// How many documents of that many tokens make a group.
int documents_of_group(std::size_t tokens, const PredictedValues& values) {
  PredictionGroups groups({}, values);
  int documents = 1;
  while (!groups.add(tokens)) ++documents;
  return documents;
}

TEST(PredictionGroups, EndBehindTheDocumentThatFillsThem) {
  EXPECT_EQ(documents_of_group(100, {}), 6);
  EXPECT_EQ(documents_of_group(1000, {}), 1);
  PredictionGroups groups;
  EXPECT_TRUE(groups.add(512));
  EXPECT_FALSE(groups.add(511)) << "a new group";
  EXPECT_TRUE(groups.add(1));
}

// A classifier of 65,536 labels gives a document of one token 65,536 numbers.
TEST(PredictionGroups, ValuesOfEachDocumentCountBesideItsTokens) {
  EXPECT_EQ(documents_of_group(1, {.of_document = 63}), documents_of_group(1, {}))
      << "few labels change no group";
  EXPECT_EQ(documents_of_group(1, {.of_document = 64}), 256);
  EXPECT_EQ(documents_of_group(1, {.of_document = 65536}), 1);
}

// A span categorizer of 5,000 labels may give each token 15,000 spans.
TEST(PredictionGroups, ValuesOfEachTokenCountWithIt) {
  EXPECT_EQ(documents_of_group(4, {.of_token = 511}), documents_of_group(4, {}));
  EXPECT_EQ(documents_of_group(4, {.of_token = 512}), 64);
  EXPECT_EQ(documents_of_group(4, {.of_token = 15000}), 5);
}

}  // namespace
}  // namespace weft
