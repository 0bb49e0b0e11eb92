#include "framework/parser/entity_facts.h"

#include <memory>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "framework/parser/entity_annotation.h"
#include "framework/text/vocab.h"

namespace weft {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

class EntityFactsTest : public ::testing::Test {
 protected:
  static void add(AnnotationFacts& facts, const Doc& doc) {
    facts.add(doc, entity_annotation().labels_in(doc));
  }
  // A label for each word; "-": not annotated.
  Doc named(const std::vector<std::string>& labels) const {
    const std::vector<std::string> words(labels.size(), "w");
    Doc doc = Doc::from_words(vocab_, {words.begin(), words.end()});
    std::vector<Iob> iobs;
    std::vector<StringId> types;
    for (const std::string& label : labels) {
      iobs.push_back(label == "-" ? Iob::missing : label.empty() ? Iob::out : Iob::begin);
      types.push_back(label == "-" ? 0 : vocab_->strings().add(label));
    }
    doc.set_ent_columns(iobs, types);
    return doc;
  }
  std::vector<std::string> always_present(const AnnotationFacts::Beside& beside) const {
    std::vector<std::string> labels;
    facts_->finish(beside, [&](const DataProblem& problem) {
      EXPECT_EQ(problem.fault, DataFault::always_present);
      labels.push_back(problem.label);
    });
    return labels;
  }

  std::shared_ptr<const Vocab> vocab_ = std::make_shared<Vocab>("en");
  std::unique_ptr<AnnotationFacts> facts_ = entity_annotation().facts();
};

TEST_F(EntityFactsTest, RareLabelsThatNoDocumentLacksAreTold) {
  add(*facts_, named({"A", "B", "C"}));
  EXPECT_THAT(always_present({nullptr, 10}), IsEmpty()) << "a single document";
  add(*facts_, named({"A", "", "B", "B", "B"}));
  EXPECT_THAT(always_present({nullptr, 10}), ElementsAre("A", "B"));
  EXPECT_THAT(always_present({nullptr, 3}), ElementsAre("A")) << "B is not rare";
  EXPECT_THAT(always_present({facts_.get(), 10}), IsEmpty()) << "of development data";
  add(*facts_, named({"C", ""}));
  EXPECT_THAT(always_present({nullptr, 10}), IsEmpty());
}

TEST_F(EntityFactsTest, TokensThatNobodyAnnotatedAreCounted) {
  add(*facts_, named({"A", "-", "", "-"}));
  add(*facts_, Doc::from_words(vocab_, {"a", "b", "c"}));
  EXPECT_EQ(facts_->summary({}).find("tokens_without_annotation")->as_integer(), 5);
}

}  // namespace
}  // namespace weft
