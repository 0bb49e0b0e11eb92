#include "framework/training/word_counts.h"

#include <memory>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "framework/text/vocab.h"

namespace weft {
namespace {

class WordCountsTest : public ::testing::Test {
 protected:
  WordCountsTest() {
    counts_.add(doc({"Ada", "saw", "saw", "x"}));
    counts_.add(doc({"ada", "y", "saw", "y"}));
  }
  Doc doc(std::initializer_list<std::string_view> words) const {
    return Doc::from_words(vocab_, words);
  }
  std::string told_with(const Vectors& vectors) const {
    std::string told;
    counts_.check_vectors(vectors, [&](const DataProblem& problem) {
      EXPECT_EQ(problem.fault, DataFault::no_vector);
      told = problem.message;
    });
    return told;
  }
  static Vectors vectors_of(const std::vector<std::string>& words, Attr attr) {
    std::vector<Vectors::KeyRow> keys;
    for (const std::string& word : words) keys.emplace_back(string_id(word), 0);
    return {Tensor::from<float>({1, 2}, {1, 2}), keys, attr};
  }

  std::shared_ptr<const Vocab> vocab_ = std::make_shared<Vocab>("en");
  WordCounts counts_;
};

TEST_F(WordCountsTest, ThoseThatVectorsDoNotKnowAreToldWithTheMostFrequent) {
  EXPECT_EQ(counts_.different(), 5);
  EXPECT_EQ(told_with(vectors_of({"Ada", "x"}, Attr::orth)),
            "6 of 8 words have no vector, 75 %; most often \"saw\" (3), \"y\" (2), \"ada\" (1)");
  EXPECT_EQ(told_with(vectors_of({"Ada", "ada", "saw", "x", "y"}, Attr::orth)), "");
}

TEST_F(WordCountsTest, AreLookedUpAsTheVectorsAre) {
  EXPECT_EQ(told_with(vectors_of({"ada", "saw", "x"}, Attr::lower)),
            "2 of 8 words have no vector, 25 %; most often \"y\" (2)");
  EXPECT_EQ(told_with(vectors_of({"ada"}, Attr::lemma)), "") << "nobody knows the lemmas";
  EXPECT_EQ(told_with(Vectors()), "");
}

}  // namespace
}  // namespace weft
