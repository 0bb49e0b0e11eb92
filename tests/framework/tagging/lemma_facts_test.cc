#include "framework/tagging/lemma_facts.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "framework/tagging/token_annotation.h"
#include "framework/text/vocab.h"

namespace weft {
namespace {

using ::testing::HasSubstr;

class LemmaFactsTest : public ::testing::Test {
 protected:
  static void add(AnnotationFacts& facts, const Doc& doc) {
    facts.add(doc, lemma_annotation().labels_in(doc));
  }
  // Words with their lemmas; "": none.
  Doc lemmatized(const std::vector<std::pair<std::string, std::string>>& pairs) const {
    std::vector<std::string> words;
    std::vector<StringId> lemmas;
    for (const auto& [word, lemma] : pairs) {
      words.push_back(word);
      lemmas.push_back(vocab_->strings().add(lemma));
    }
    Doc doc = Doc::from_words(vocab_, {words.begin(), words.end()});
    doc.set_column(Attr::lemma, lemmas);
    return doc;
  }
  static std::int64_t number(const AnnotationFacts& facts, const char* name,
                             const AnnotationFacts* train = nullptr) {
    return facts.summary({train}).find(name)->as_integer();
  }

  std::shared_ptr<const Vocab> vocab_ = std::make_shared<Vocab>("en");
  std::unique_ptr<AnnotationFacts> train_ = lemma_annotation().facts();
  std::unique_ptr<AnnotationFacts> dev_ = lemma_annotation().facts();
};

TEST_F(LemmaFactsTest, TreesThatTheTrainingDataLacksAreCounted) {
  add(*train_, lemmatized({{"walked", "walk"}, {"talked", "talk"}, {"is", "be"}, {"a", "a"}}));
  add(*dev_, lemmatized({{"looked", "look"}, {"going", "go"}, {"going", "go"}, {"b", "b"}}));
  EXPECT_EQ(number(*train_, "edit_trees"), 3);
  EXPECT_EQ(number(*dev_, "edit_trees"), 3);
  EXPECT_EQ(number(*dev_, "edit_trees_not_in_training", train_.get()), 1);
}

TEST_F(LemmaFactsTest, DocumentsThatArePartlyLemmatizedOrAllAlikeAreCounted) {
  add(*train_, lemmatized({{"a", "a"}, {"b", ""}, {"c", "c"}}));
  add(*train_, lemmatized({{"a", ""}, {"b", ""}}));  // not at all
  add(*train_, lemmatized({{"a", "a"}}));
  EXPECT_EQ(number(*train_, "documents_partly_lemmatized"), 1);
  std::string told;
  const DataSink tell = [&](const DataProblem& problem) { told += problem.message; };
  train_->finish({}, tell);
  EXPECT_EQ(told, "");
  add(*train_, lemmatized({{"a", "x"}, {"b", "x"}}));
  train_->finish({}, tell);
  EXPECT_THAT(told, HasSubstr("1 documents of several tokens have a single lemma"));
}

}  // namespace
}  // namespace weft
