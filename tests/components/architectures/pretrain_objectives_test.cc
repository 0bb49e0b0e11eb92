// The two objectives of pretraining: targets, losses and gradients.
#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "components/builtin.h"
#include "framework/text/doc.h"
#include "framework/text/vectors.h"
#include "framework/training/pretraining_objective.h"
#include "registry/base/error.h"
#include "registry/building/resolve.h"
#include "registry/reading/cfg_reader.h"

namespace weft {
namespace {

class PretrainObjectives : public testing::Test {
 protected:
  PretrainObjectives() { add_builtin(catalogue_); }

  PretrainObjectivePtr made(const std::string& name, const std::string& setting) {
    Problems problems;
    const Config config = read_cfg("[objective]\n@architectures = \"" + name +
                                       "\"\nmaxout_pieces = 2\nhidden_size = 4\n" + setting + "\n",
                                   "test.cfg", problems);
    const auto result = resolve_at(config, "objective", catalogue_, {}, problems);
    if (has_errors(problems)) throw Error(ErrorKind::config, problems);
    return *result->product().get<PretrainObjectivePtr>();
  }
  // The bytes that a word should be recognised by: the places of the ones.
  std::vector<int> target(const std::string& word, int count) {
    const auto objective =
        made("spacy.PretrainCharacters.v1", "n_characters = " + std::to_string(count));
    const Doc doc = Doc::from_words(vocab_, {word});
    const Doc* const docs[] = {&doc};
    Tensor y = Tensor::zeros({1, 256 * count}), d = Tensor::zeros({1, 256 * count});
    EXPECT_EQ(objective->loss(docs, y, 1, d), count);
    std::vector<int> places;
    for (int i = 0; i < 256 * count; ++i) {
      if (d.data<float>()[i] == -1.0F) places.push_back(i % 256);
    }
    return places;
  }
  void give_vectors() {
    vocab_->set_vectors(std::make_shared<Vectors>(
        Tensor::from<float>({2, 2}, {3.0F, 4.0F, 0.0F, 0.0F}),
        std::vector<Vectors::KeyRow>{{vocab_->strings().add("known"), 0},
                                     {vocab_->strings().add("zero"), 1}}));
  }

  Catalogue catalogue_;
  std::shared_ptr<Vocab> vocab_ = std::make_shared<Vocab>("en");
};

TEST_F(PretrainObjectives, BytesComeFromBothEnds) {
  EXPECT_EQ(target("abcdefgh", 4), (std::vector<int>{'a', 'h', 'b', 'g'}));
  EXPECT_EQ(target("a", 4), (std::vector<int>{'a', 255, 255, 255}));
  EXPECT_EQ(target("I'm", 4), (std::vector<int>{'I', 'm', '\'', 255}));
  EXPECT_EQ(target("\xC3\xBC", 3), (std::vector<int>{0xC3, 0xBC, 255}));
}

TEST_F(PretrainObjectives, TheGradientOfCharactersIsDividedByAllTokens) {
  const auto objective = made("spacy.PretrainCharacters.v1", "n_characters = 1");
  const Doc doc = Doc::from_words(vocab_, {"a"});
  const Doc* const docs[] = {&doc};
  Tensor y = Tensor::zeros({1, 256}), d = Tensor::zeros({1, 256});
  std::fill_n(y.data<float>(), 256, 0.5F);
  EXPECT_DOUBLE_EQ(objective->loss(docs, y, 4, d), 256 * 0.25);
  EXPECT_FLOAT_EQ(d.data<float>()[0], 0.125F);
  EXPECT_FLOAT_EQ(d.data<float>()['a'], -0.125F);
}

TEST_F(PretrainObjectives, CosineLeavesWordsWithoutVectorsAlone) {
  give_vectors();
  const auto objective = made("spacy.PretrainVectors.v1", "loss = \"cosine\"");
  const Doc doc = Doc::from_words(vocab_, {"known", "zero", "unknown"});
  const Doc* const docs[] = {&doc};
  const Tensor y = Tensor::from<float>({3, 2}, {4.0F, -3.0F, 1.0F, 1.0F, 1.0F, 1.0F});
  Tensor d = Tensor::zeros({3, 2});
  EXPECT_NEAR(objective->loss(docs, y, 3, d), 1.0 / 3, 1e-6);  // a right angle
  EXPECT_NEAR(d.data<float>()[0], -0.6 / 5 / 3, 1e-6);
  EXPECT_NEAR(d.data<float>()[1], -0.8 / 5 / 3, 1e-6);
  for (int i = 2; i < 6; ++i) EXPECT_EQ(d.data<float>()[i], 0.0F);
}

TEST_F(PretrainObjectives, L2CountsThem) {
  give_vectors();
  const auto objective = made("spacy.PretrainVectors.v1", "loss = \"L2\"");
  const Doc doc = Doc::from_words(vocab_, {"known", "unknown"});
  const Doc* const docs[] = {&doc};
  const Tensor y = Tensor::from<float>({2, 2}, {4.0F, 4.0F, 2.0F, 0.0F});
  Tensor d = Tensor::zeros({2, 2});
  EXPECT_DOUBLE_EQ(objective->loss(docs, y, 2, d), 0.25 + 1.0);
  EXPECT_FLOAT_EQ(d.data<float>()[0], 0.5F);
  EXPECT_FLOAT_EQ(d.data<float>()[2], 1.0F);
}

TEST_F(PretrainObjectives, VectorsHaveToBeThere) {
  const auto objective = made("spacy.PretrainVectors.v1", "loss = \"cosine\"");
  EXPECT_THROW(objective->make_head(*vocab_), Error);
  give_vectors();
  EXPECT_EQ(objective->make_head(*vocab_)->dim("nO"), 2);
  EXPECT_THROW(made("spacy.PretrainVectors.v1", "loss = \"l3\""), Error);
}

}  // namespace
}  // namespace weft
