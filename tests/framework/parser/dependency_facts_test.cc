#include "framework/parser/dependency_facts.h"

#include <memory>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "framework/parser/dependency_annotation.h"
#include "framework/text/vocab.h"

namespace weft {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class DependencyFactsTest : public ::testing::Test {
 protected:
  static void add(AnnotationFacts& facts, const Doc& doc) {
    facts.add(doc, dependency_annotation().labels_in(doc));
  }
  // Heads as offsets.
  Doc parsed(const std::vector<std::int32_t>& heads, const std::vector<std::string>& labels) const {
    std::vector<std::string> words(heads.size(), "w");
    Doc doc = Doc::from_words(vocab_, {words.begin(), words.end()});
    std::vector<StringId> ids;
    for (const std::string& label : labels) ids.push_back(vocab_->strings().add(label));
    doc.set_column(Attr::dep, ids);
    doc.set_heads(heads);
    return doc;
  }
  std::vector<std::string> told(const AnnotationFacts::Beside& beside = {nullptr, 10}) {
    found_.clear();
    facts_->finish(beside, [this](const DataProblem& problem) { found_.push_back(problem); });
    std::vector<std::string> kinds;
    for (const DataProblem& problem : found_) {
      kinds.push_back(std::string(problem.fault.name) + " " + problem.label);
    }
    return kinds;
  }
  std::string number(const char* name) const {
    const Object summary = facts_->summary({});
    return summary.find(name)->is_integer() ? std::to_string(summary.find(name)->as_integer())
                                            : std::to_string(summary.find(name)->as_float());
  }

  std::shared_ptr<const Vocab> vocab_ = std::make_shared<Vocab>("en");
  std::unique_ptr<AnnotationFacts> facts_ = dependency_annotation().facts();
  std::vector<DataProblem> found_;
};

TEST_F(DependencyFactsTest, OneSentenceInNearlyEachDocumentIsTold) {
  for (int i = 0; i < 10; ++i) add(*facts_, parsed({0, -1, -2}, {"ROOT", "a", "b"}));
  EXPECT_EQ(number("sentences"), "10");
  EXPECT_EQ(number("words_per_sentence"), "3.000000");
  EXPECT_THAT(told(), ElementsAre("few_sentences "));
  EXPECT_THAT(found_[0].message, HasSubstr("1.00 sentences"));
  add(*facts_, parsed({0, 0, 0}, {"ROOT", "ROOT", "ROOT"}));  // 13 of 11 documents
  EXPECT_THAT(told(), ElementsAre());
  add(*facts_, parsed({0, 0}, {"", ""}));  // no parse
  EXPECT_EQ(number("sentences"), "13");
  EXPECT_THAT(told({facts_.get(), 10}), ElementsAre()) << "of development data";
}

TEST_F(DependencyFactsTest, SeveralLabelsOfRootsAreTold) {
  add(*facts_, parsed({0, 0, -1}, {"ROOT", "root", "a"}));
  EXPECT_THAT(told(), ElementsAre("several_root_labels "));
  EXPECT_THAT(found_[0].message, HasSubstr("the labels ROOT, root: a parser"));
}

// The arcs of the second and the third token cross.
TEST_F(DependencyFactsTest, RareLabelsOfLiftedArcsAreTold) {
  const Doc crossing = parsed({0, 2, -2, -3, 0}, {"ROOT", "x", "y", "z", "ROOT"});
  for (int i = 0; i < 3; ++i) add(*facts_, crossing);
  add(*facts_, parsed({0, 0}, {"ROOT", "ROOT"}));
  EXPECT_EQ(number("documents_with_crossing_arcs"), "3");
  EXPECT_THAT(told({nullptr, 4}), ElementsAre("rare_label x||z"));
  EXPECT_THAT(found_[0].message, HasSubstr("learnt from 3 of the dependencies"));
  EXPECT_THAT(told({nullptr, 3}), ElementsAre());
}

// The circle is told of the document itself.
TEST_F(DependencyFactsTest, ACircleOfHeadsEndsNothing) {
  add(*facts_, parsed({0, 0, 1, -1}, {"ROOT", "ROOT", "a", "b"}));
  EXPECT_EQ(number("sentences"), "2");
  EXPECT_THAT(told(), ElementsAre());
}

}  // namespace
}  // namespace weft
