// Span groups as annotation: what is the same, and which spans a component can never find.
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "framework/pipeline/annotation_kind.h"
#include "framework/text/doc.h"
#include "tests/components/pipes/made_component.h"

namespace weft {
namespace {

using ::testing::ElementsAre;

class SpanAnnotationTest : public ::testing::Test {
 protected:
  Doc with(std::vector<Span> spans) const {
    Doc doc = Doc::from_words(vocab_, {"a", "b", "c", "d"}, {});
    doc.set_span_group("sc", {"sc", {}, std::move(spans)});
    return doc;
  }

  std::shared_ptr<const Vocab> vocab_ = std::make_shared<Vocab>("en");
};

TEST_F(SpanAnnotationTest, TheOrderOfSpansIsNoDifference) {
  Object block;
  block.set("factory", "span_finder");
  const ComponentPtr component = made_component(std::move(block));
  const AnnotationKind& kind = *component->annotation();
  EXPECT_EQ(kind.text_of(with({{0, 1}, {1, 3}})), kind.text_of(with({{1, 3}, {0, 1}})));
  EXPECT_NE(kind.text_of(with({{0, 1}, {1, 3}})), kind.text_of(with({{0, 1}, {1, 2}})));
}

TEST_F(SpanAnnotationTest, SpansOfOtherLengthsThanAFinderTakesAreToldOf) {
  Object block;
  block.set("factory", "span_finder");
  block.set("min_length", 2);
  block.set("max_length", 3);
  const ComponentPtr component = made_component(std::move(block));
  std::vector<std::string> told;
  const PlacedDoc placed{with({{0, 1}, {0, 2}, {0, 3}, {0, 4}}), "train.jsonl", 1, 1, false};
  component->annotation()->check(placed, nullptr, [&](const DataProblem& problem) {
    told.push_back(std::string(problem.fault.name) + " " + problem.text);
  });
  EXPECT_THAT(told, ElementsAre("out_of_reach a", "out_of_reach a b c d"));
}

}  // namespace
}  // namespace weft
