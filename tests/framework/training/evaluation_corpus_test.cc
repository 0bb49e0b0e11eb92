#include "framework/training/evaluation_corpus.h"

#include <sstream>

#include <gtest/gtest.h>

#include "framework/training/example_bytes.h"
#include "registry/base/error.h"
#include "tests/framework/training/batch_fixture.h"

namespace weft {
namespace {

class EvaluationCorpusTest : public BatchesTest {
 protected:
  std::string texts(EvaluationCorpus& corpus) { return text_of(read_all(*corpus.open())); }

  std::ostringstream err_;
  MisalignedReport misaligned_{"corpora.dev", AlignmentPolicy::drop, err_};
};

TEST_F(EvaluationCorpusTest, SmallDataIsReadOnce) {
  const Reader reader = corpus(5);
  EvaluationCorpus dev(reader, nlp_, 1 << 20, misaligned_);
  EXPECT_TRUE(dev.is_held());
  EXPECT_GT(dev.held_bytes(), 0U);
  EXPECT_EQ(texts(dev), "01234");
  EXPECT_EQ(texts(dev), "01234");
  EXPECT_EQ(opened_, 1);
}

TEST_F(EvaluationCorpusTest, EveryStreamGivesCopiesOfItsOwn) {
  const Reader reader = corpus(2);
  EvaluationCorpus dev(reader, nlp_, 1 << 20, misaligned_);
  EXPECT_NE(dev.open()->next(), dev.open()->next());
}

TEST_F(EvaluationCorpusTest, MoreThanMayBeHeldIsReadAnew) {
  const Reader reader = corpus(5);
  const ExamplePtr one = reader.open(nlp_)->next();
  opened_ = 0;
  EvaluationCorpus dev(reader, nlp_, 3 * estimated_bytes(*one), misaligned_);
  EXPECT_FALSE(dev.is_held());
  EXPECT_EQ(dev.held_bytes(), 0U);
  EXPECT_EQ(texts(dev), "01234");
  EXPECT_EQ(texts(dev), "01234");
  EXPECT_EQ(opened_, 3);
}

TEST_F(EvaluationCorpusTest, WithoutExamplesThereIsNothingToEvaluateOn) {
  const Reader reader = corpus(0);
  EXPECT_THROW(EvaluationCorpus(reader, nlp_, 1 << 20, misaligned_), Error);
}

}  // namespace
}  // namespace weft
