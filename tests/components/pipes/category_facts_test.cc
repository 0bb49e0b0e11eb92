#include "components/pipes/category_facts.h"

#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "components/pipes/category_annotation.h"
#include "framework/text/vocab.h"

namespace weft {
namespace {

class CategoryFactsTest : public ::testing::Test {
 protected:
  void add(AnnotationFacts& facts, double a, double b) const {
    Doc doc = Doc::from_words(vocab_, {"w"});
    doc.set_cats({{"A", a}, {"B", b}});
    facts.add(doc, category_annotation(false).labels_in(doc));
  }
  static std::string told(const AnnotationFacts& facts, const AnnotationFacts* train = nullptr) {
    std::string told;
    facts.finish({train}, [&](const DataProblem& problem) {
      EXPECT_EQ(problem.fault.name, "exclusive_categories");
      told += problem.message;
    });
    return told;
  }

  std::shared_ptr<const Vocab> vocab_ = std::make_shared<Vocab>("en");
  std::unique_ptr<AnnotationFacts> train_ = category_annotation(false).facts();
  std::unique_ptr<AnnotationFacts> dev_ = category_annotation(false).facts();
};

TEST_F(CategoryFactsTest, OneCategoryInEachDocumentMayBeAChoice) {
  train_->add(Doc::from_words(vocab_, {"w"}), {});  // not annotated
  EXPECT_EQ(told(*train_), "");
  add(*train_, 1, 0);
  add(*train_, 0, 1);
  EXPECT_EQ(told(*train_), "each document has exactly one category");
  EXPECT_EQ(told(*dev_, train_.get()), "") << "no document";
  add(*dev_, 1, 0);
  EXPECT_EQ(told(*dev_, train_.get()), "");
  add(*dev_, 1, 1);
  EXPECT_EQ(told(*dev_, train_.get()),
            "some documents have no category or several, and each of the training data has exactly "
            "one");
}

TEST_F(CategoryFactsTest, SeveralInTheTrainingDataAlone) {
  add(*train_, 1, 1);
  add(*train_, 1, 0);
  EXPECT_EQ(train_->summary({}).find("documents_of_one_category")->as_integer(), 1);
  EXPECT_EQ(train_->summary({}).find("documents_of_none_or_several")->as_integer(), 1);
  EXPECT_EQ(told(*train_), "");
  add(*dev_, 0, 1);
  EXPECT_EQ(told(*dev_, train_.get()),
            "each document has exactly one category, and others of the training data have none or "
            "several");
  add(*dev_, 0, 0);
  EXPECT_EQ(told(*dev_, train_.get()), "");
}

TEST_F(CategoryFactsTest, LabelsThatExcludeEachOtherNeedNone) {
  EXPECT_EQ(category_annotation(true).facts(), nullptr);
}

}  // namespace
}  // namespace weft
