// Counts and findings of kinds of annotation that a pipeline learns.
#include "framework/training/data_check.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "framework/text/tokenizer.h"
#include "tests/framework/pipeline/one_weight_component.h"

namespace weft {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Pair;

// A kind of fault that the program does not know.
constexpr DataFault kBadWord{"bad_word", true};

// Every word is a label, "no" but a name of one; a word "bad" is a fault.
class Words : public AnnotationKind {
 public:
  std::vector<std::string> labels_in(const Doc& doc) const override {
    std::vector<std::string> labels;
    for (int i = 0; i < doc.size(); ++i) {
      if (doc.word(i) != "no") labels.emplace_back(doc.word(i));
    }
    return labels;
  }
  std::vector<std::string> absent_labels_in(const Doc& doc) const override {
    return doc.size() > 0 && doc.word(0) == "no" ? std::vector<std::string>{"gone"}
                                                 : std::vector<std::string>{};
  }
  Names names() const override { return {"words", "spellings"}; }
  std::string text_of(const Doc& doc) const override { return doc.has_ents() ? "some" : ""; }
  void check_presence(const PlacedDoc& placed, const DataSink& tell) const override {
    if (placed.doc.word(0) == "none") tell(problem_in(DataFault::not_annotated, placed));
  }
  void check(const PlacedDoc& placed, const Doc*, const DataSink& tell) const override {
    for (int i = 0; i < placed.doc.size(); ++i) {
      if (placed.doc.word(i) != "bad") continue;
      const StringId label = placed.doc.vocab()->strings().add("BAD");
      tell(problem_in(kBadWord, placed, {i, i + 1, label}));
    }
  }
};

class DataCheckTest : public ::testing::Test {
 protected:
  PlacedDoc placed(std::initializer_list<std::string_view> words) {
    return {Doc::from_words(nlp_.vocab(), words), "train.jsonl", 7, ++documents_, false};
  }
  DataCheck check_with(DataCheck::Options options) {
    return {nlp_, options, [this](const DataProblem& p) { found_.push_back(p); }};
  }
  void learn(const AnnotationKind& kind, std::vector<std::string> known = {}) {
    const auto component = std::make_shared<testing::OneWeight>();
    component->known = std::move(known);
    component->kind = &kind;
    nlp_.add({"c" + std::to_string(nlp_.pipeline().size()), component});
  }
  DataCheck check() {
    return {nlp_, {.rare_label = 2}, [this](const DataProblem& p) { found_.push_back(p); }};
  }
  std::vector<std::string> kinds() const {
    std::vector<std::string> kinds;
    for (const DataProblem& problem : found_) kinds.emplace_back(problem.fault.name);
    return kinds;
  }

  Language nlp_{Config(), testing::plain_settings()};
  std::int64_t documents_ = 0;
  std::vector<DataProblem> found_;
  Words words_;
};

TEST_F(DataCheckTest, AKindOfAnnotationIsCheckedOnceHoweverManyLearnIt) {
  learn(words_);
  learn(words_);
  DataCheck check = this->check();
  check.check_train(placed({"none", "bad"}));
  ASSERT_THAT(kinds(), ElementsAre("not_annotated", "bad_word"));
  EXPECT_EQ(found_[1].corpus, "corpora.train");
  EXPECT_EQ(found_[1].start, 5);
  EXPECT_EQ(found_[1].label, "BAD");
  EXPECT_EQ(found_[1].text, "bad");
  ASSERT_EQ(check.train().annotation.size(), 1U);
  EXPECT_EQ(check.train().annotation[0].things, 2);
  EXPECT_THAT(check.train().annotation[0].labels, ElementsAre(Pair("bad", 1), Pair("none", 1)));
}

TEST_F(DataCheckTest, MessagesCallTheThingsByTheirName) {
  learn(words_);
  DataCheck check = this->check();
  check.check_train(placed({"a", "a"}));
  PlacedDoc again = placed({"a", "a"});
  again.doc.set_ents({});
  check.check_train(again);
  check.check_dev(placed({"b"}));
  check.finish();
  ASSERT_THAT(kinds(), ElementsAre("conflict", "one_sided_label", "one_sided_label"));
  EXPECT_THAT(found_[0].message, HasSubstr("with other words"));
  EXPECT_THAT(found_[2].message, HasSubstr("1 of the words here have it and are always missed"));
}

TEST_F(DataCheckTest, ALabelThatNoDocumentHasIsToldOnce) {
  learn(words_);
  DataCheck check = this->check();
  check.check_train(placed({"no", "a", "a"}));
  check.check_dev(placed({"a"}));
  check.finish();
  ASSERT_THAT(kinds(), ElementsAre("rare_label"));
  EXPECT_EQ(found_[0].label, "gone");
  EXPECT_THAT(found_[0].message, HasSubstr("no document has it"));
}

TEST_F(DataCheckTest, AComponentThatChoosesNeedsTwoLabels) {
  class Choice final : public Words {
    std::size_t least_labels() const override { return 2; }
  } choice;
  learn(choice);
  const auto faults_of = [&](std::initializer_list<std::string_view> words, bool is_labelled) {
    found_.clear();
    DataCheck check =
        check_with({.rare_label = 0, .labelled = {is_labelled ? "c0" : "another component"}});
    check.check_train(placed(words));
    check.finish();
    return kinds();
  };
  ASSERT_THAT(faults_of({"a", "a"}, false), ElementsAre("too_few_labels"));
  EXPECT_TRUE(found_[0].fault.is_error);
  EXPECT_THAT(found_[0].message, HasSubstr("1 label of words, and training needs 2 at least"));
  EXPECT_THAT(faults_of({"a", "a"}, true), IsEmpty());
  EXPECT_THAT(faults_of({"a", "b"}, false), IsEmpty());
  EXPECT_THAT(faults_of({"no", "a"}, false), IsEmpty()) << "named, which is enough";
}

TEST_F(DataCheckTest, ALabelThatTheDevelopmentDataAloneHas) {
  learn(words_);
  DataCheck check = this->check();
  check.check_train(placed({"no", "a", "a"}));
  check.check_dev(placed({"gone", "a"}));
  check.finish();
  ASSERT_THAT(kinds(), ElementsAre("rare_label", "one_sided_label"));
  EXPECT_EQ(found_[1].label, "gone");
}

TEST_F(DataCheckTest, LabelsOfASavedPipelineThatTheDataLacksAreTold) {
  learn(words_, {"a", "old", "older"});
  DataCheck check = this->check();
  check.check_train(placed({"a", "a"}));
  check.finish();
  ASSERT_THAT(kinds(), ElementsAre("forgotten_labels"));
  EXPECT_EQ(found_[0].corpus, "corpora.train");
  EXPECT_EQ(found_[0].message,
            "2 labels of words that a component has are not in the training data: old, older");
}

TEST_F(DataCheckTest, FewDocumentsAreToldOfAPipelineThatStartsAnew) {
  const auto told_of = [&](int documents, bool starts_anew) {
    found_.clear();
    DataCheck check = check_with({.starts_anew = starts_anew});
    for (int i = 0; i < documents; ++i) check.check_train(placed({"a", std::to_string(i)}));
    check.finish();
    return kinds();
  };
  ASSERT_THAT(told_of(1999, true), ElementsAre("few_documents"));
  EXPECT_THAT(found_[0].message, HasSubstr("1999 documents; 2000 are advised"));
  EXPECT_THAT(told_of(2000, true), IsEmpty());
  EXPECT_THAT(told_of(1, false), IsEmpty());
}

TEST_F(DataCheckTest, TokensThatAreNotOneOfTheDataAreCounted) {
  nlp_.set_tokenizer(std::make_shared<Tokenizer>(TokenizerRules()));  // cuts at blanks
  DataCheck check = this->check();
  PlacedDoc own = placed({"New York", "is", "i", "t"});
  own.own_tokens = true;
  own.doc = Doc::from_words(nlp_.vocab(), {"New York", "is", "i", "t"}, {true, true, false, false});
  check.check_train(own);
  check.finish();
  EXPECT_EQ(check.train().misaligned_tokens, 1) << "\"it\"; two words of one token are aligned";
  EXPECT_EQ(check.train().different_words, 4);
  ASSERT_THAT(kinds(), ElementsAre("misaligned_tokens"));
  EXPECT_EQ(found_[0].corpus, "corpora.train");
}

// Sums up the numbers of tokens.
class Sizes final : public AnnotationFacts {
 public:
  void add(const Doc& doc, const std::vector<std::string>&) override { tokens_ += doc.size(); }
  Object summary(const Beside& beside) const override {
    Object numbers;
    numbers.set("tokens", tokens_);
    if (beside.train) numbers.set("trained", static_cast<const Sizes*>(beside.train)->tokens_);
    return numbers;
  }
  void finish(const Beside& beside, const DataSink& tell) const override {
    tell({.fault = kBadWord, .corpus = {}, .message = std::to_string(beside.rare)});
  }

 private:
  int tokens_ = 0;
};

TEST_F(DataCheckTest, FactsAreGatheredOfEachCorpus) {
  class WithFacts final : public Words {
    std::unique_ptr<AnnotationFacts> facts() const override { return std::make_unique<Sizes>(); }
  } kind;
  learn(kind);
  DataCheck check = this->check();
  check.check_train(placed({"no", "no"}));
  check.check_train(placed({"no"}));
  check.check_dev(placed({"no", "no", "no", "no"}));
  check.finish();
  EXPECT_EQ(check.train().annotation[0].facts.find("tokens")->as_integer(), 3);
  EXPECT_EQ(check.train().annotation[0].facts.find("trained"), nullptr);
  EXPECT_EQ(check.dev().annotation[0].facts.find("tokens")->as_integer(), 4);
  EXPECT_EQ(check.dev().annotation[0].facts.find("trained")->as_integer(), 3);
  ASSERT_GE(found_.size(), 2U);
  EXPECT_EQ(found_[0].corpus, "corpora.train");
  EXPECT_EQ(found_[0].message, "2");
  EXPECT_EQ(found_[1].corpus, "corpora.dev");
}

TEST_F(DataCheckTest, WithoutComponentsDocumentsAlone) {
  DataCheck check = this->check();
  check.check_train(placed({"none", "bad"}));
  check.check_train(placed({"none", "bad"}));
  EXPECT_THAT(kinds(), ElementsAre("duplicate"));
  EXPECT_EQ(check.train().documents, 2);
  EXPECT_THAT(check.train().annotation, IsEmpty());
}

}  // namespace
}  // namespace weft
