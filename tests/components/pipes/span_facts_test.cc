#include "components/pipes/span_facts.h"

#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "components/pipes/span_annotation.h"
#include "framework/text/vocab.h"

namespace weft {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

struct Placed {
  int start, end;
  std::string label;
};

class SpanFactsTest : public ::testing::Test {
 protected:
  void add(std::initializer_list<std::string_view> words, const std::vector<Placed>& spans) {
    Doc doc = Doc::from_words(vocab_, words);
    SpanGroup group;
    group.name = "sc";
    for (const auto& [start, end, label] : spans) {
      group.spans.push_back({start, end, vocab_->strings().add(label)});
    }
    doc.set_span_groups({{"sc", std::move(group)}});
    facts_->add(doc, kind_.labels_in(doc));
  }
  double number(const std::string& label, const char* name) const {
    const Object summary = facts_->summary({});
    const Node* table = summary.find("mean");
    if (!label.empty()) table = summary.find("labels")->as_object().find(label);
    return table->as_object().find(name)->as_float();
  }
  std::vector<std::string> told() {
    std::vector<std::string> told;
    facts_->finish({}, [&](const DataProblem& problem) {
      told.push_back(std::string(problem.fault.name) + " " + problem.label + problem.message);
    });
    return told;
  }

  std::shared_ptr<const Vocab> vocab_ = std::make_shared<Vocab>("en");
  const AnnotationKind& kind_ = span_annotation("sc", true, reach_of_lengths(1, 3));
  std::unique_ptr<AnnotationFacts> facts_ = kind_.facts();
};

// Six words, two of them "x": those of A are "x" alone, with a divergence of log(1 / (2 / 6)).
TEST_F(SpanFactsTest, WordsOfSpansAndBesideThemAreCompared) {
  add({"X", "b", "c"}, {{0, 1, "A"}});
  add({"d", "x", "b"}, {{1, 2, "A"}, {0, 3, "B"}});
  EXPECT_EQ(number("A", "distinctiveness"), std::round(std::log(3.0) * 100) / 100);
  // Beside it are "b", "d", "b": 2/3 log((2/3) / (2/6)) + 1/3 log((1/3) / (1/6)).
  EXPECT_EQ(number("A", "boundary_distinctiveness"), std::round(std::log(2.0) * 100) / 100);
  EXPECT_EQ(number("A", "length"), 1.0);
  EXPECT_EQ(number("B", "length"), 3.0);
  EXPECT_EQ(number("B", "boundary_distinctiveness"), 0.0) << "nothing stands beside it";
  EXPECT_EQ(number("", "length"), std::round((1.0 + 1.0 + 3.0) / 3.0 * 100) / 100);
}

TEST_F(SpanFactsTest, LengthsThatMakeUpNineTenthsAreNamed) {
  for (int i = 0; i < 9; ++i) add({"a", "b", "c"}, {{0, 2, "A"}});
  add({"a", "b", "c"}, {{0, 3, "A"}, {1, 1, "A"}});
  const Object summary = facts_->summary({});
  EXPECT_EQ(summary.find("lengths_of_nine_tenths")->as_string(), "2");
  EXPECT_EQ(summary.find("shortest")->as_integer(), 2);
  EXPECT_EQ(summary.find("longest")->as_integer(), 3);
  EXPECT_EQ(summary.find("spans_of_length")->as_object().find("2")->as_integer(), 9);
}

TEST_F(SpanFactsTest, SpansOfAllWordsAreNotDistinct) {
  EXPECT_THAT(told(), IsEmpty());
  add({"a", "b"}, {{0, 2, "A"}});
  add({"b", "a"}, {{0, 2, "A"}, {0, 1, "B"}});
  EXPECT_THAT(told(), ElementsAre("always_present Aeach of the 2 documents has spans of sc with "
                                  "this label",
                                  HasSubstr("the words of the spans of sc hardly differ"),
                                  HasSubstr("the words beside the spans of sc hardly differ")));
}

// Half a million spans over all of a document: its words are counted once for each of them else.
TEST_F(SpanFactsTest, SpansOfTooManyTokensCountForNoWords) {
  std::vector<std::string> words(3000, "a");
  words[0] = "b";
  Doc doc = Doc::from_words(vocab_, {words.begin(), words.end()});
  SpanGroup group;
  group.name = "sc";
  for (int i = 0; i < 500'000; ++i) group.spans.push_back({0, 2999, vocab_->strings().add("A")});
  doc.set_span_groups({{"sc", std::move(group)}});
  facts_->add(doc, kind_.labels_in(doc));
  EXPECT_EQ(number("A", "length"), 2999.0);
  EXPECT_EQ(number("A", "distinctiveness"), 0.0);
}

}  // namespace
}  // namespace weft
