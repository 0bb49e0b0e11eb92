#include <memory>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "components/layers/layers.h"
#include "framework/nn/gradient_check.h"
#include "framework/nn/gradients.h"
#include "framework/text/doc.h"
#include "framework/text/vectors.h"
#include "registry/base/error.h"

namespace weft {
namespace {

constexpr float kTolerance = 1e-5F;

Tensor table() {
  return Tensor::from<float>({5, 3}, {1, 0, 0, 2, -1, 0.5F, 3, -2, 1, 4, -3, 1.5F, 5, -4, 2});
}

std::vector<Vectors::KeyRow> keys(std::initializer_list<const char*> words) {
  std::vector<Vectors::KeyRow> keys;
  for (const char* word : words) {
    keys.emplace_back(string_id(word), static_cast<std::int32_t>(keys.size()));
  }
  return keys;
}

class StaticVectorsTest : public testing::Test {
 protected:
  StaticVectorsTest() {
    use(Vectors(table(), keys({"The", "cat", "saw", "It"})));
    docs_.push_back(Doc::from_words(vocab_, {"The", "cat", "saw", "zebra", "cat"}));
    docs_.push_back(Doc::from_words(vocab_, {"It", "über"}));
    for (const Doc& doc : docs_) batch_.push_back(&doc);
  }

  void use(Vectors vectors) { vocab_->set_vectors(std::make_shared<Vectors>(std::move(vectors))); }

  static std::vector<float> numbers(const Tensor& tensor) {
    return {tensor.data<float>(), tensor.data<float>() + tensor.size()};
  }
  std::vector<float> run(const Model& model) {
    const Value output = model.predict(ctx_, DocBatch(batch_));
    return numbers(std::get<Ragged>(output).data);
  }
  // The gradient of W for a fixed gradient of the output.
  std::vector<float> gradient(const Model& model) {
    Gradients gradients;
    CounterMasks masks(1, 0);
    ctx_.pass().train(0.0, gradients, masks);
    const Forward forward = model(ctx_, DocBatch(batch_));
    Ragged dy{Tensor::zeros({7, 2}), {5, 2}};
    for (int t = 0; t < 7; ++t) {
      for (int o = 0; o < 2; ++o) {
        dy.data.data<float>()[t * 2 + o] = static_cast<float>((t * 7 + o * 3) % 5 - 2);
      }
    }
    forward.backward(ctx_, dy);
    ctx_.pass().predict();
    return numbers(gradients.of(model.param("W")));
  }

  std::shared_ptr<Vocab> vocab_ = std::make_shared<Vocab>("en");
  std::vector<Doc> docs_;
  std::vector<const Doc*> batch_;
  Context ctx_;
};

void expect_near(const std::vector<float>& found, const std::vector<float>& expected) {
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) EXPECT_NEAR(found[i], expected[i], kTolerance);
}

// The numbers of these tests were recorded from spaCy 3.8, with W as weights of its layer. There,
// W[o][m] = 0.1 (o + 1) - 0.2 m.
ModelPtr recorded(ModelPtr model) {
  model->set_param("W", Tensor::from<float>({2, 3}, {0.1F, -0.1F, -0.3F, 0.2F, 0.0F, -0.2F}));
  return model;
}

TEST_F(StaticVectorsTest, WordsWithoutAVectorGiveZeros) {
  const auto model = recorded(layers::static_vectors({.outputs = 2, .width = 3}));
  expect_near(run(*model),
              {0.1F, 0.2F, 0.15F, 0.3F, 0.2F, 0.4F, 0, 0, 0.15F, 0.3F, 0.25F, 0.5F, 0, 0});
}

TEST_F(StaticVectorsTest, TheOlderLayerGivesTheLastRowForThem) {
  const auto model = recorded(layers::static_vectors_v1({.outputs = 2, .width = 3}));
  expect_near(run(*model), {0.1F, 0.2F, 0.15F, 0.3F, 0.2F, 0.4F, 0.3F, 0.6F, 0.15F, 0.3F, 0.25F,
                            0.5F, 0.3F, 0.6F});
}

TEST_F(StaticVectorsTest, InTheGradientThoseWordsCountWithTheLastRow) {
  const auto model = recorded(layers::static_vectors({.outputs = 2, .width = 3}));
  expect_near(gradient(*model), {-7, 5, -2.5F, -1, 0, 0});
}

TEST_F(StaticVectorsTest, GradientsOfKnownWordsEqualDifferences) {
  use(Vectors(table(), keys({"The", "cat", "saw", "It", "zebra"})));
  const Doc doc = Doc::from_words(vocab_, {"The", "cat", "saw", "zebra", "It"});
  const Doc* docs[] = {&doc};
  const auto model = recorded(layers::static_vectors({.outputs = 2, .width = 3}));
  const auto result = check_gradients(*model, DocBatch(docs));
  EXPECT_LT(result.worst, 1e-2) << result.where;
}

// Texts of few and of many n-grams, more in all than rows are copied at a time.
TEST_F(StaticVectorsTest, MeansOfNgramsAreThoseOfAllRowsAtOnce) {
  Tensor rows = Tensor::zeros({1000, 3});
  for (int i = 0; i < 3000; ++i) rows.data<float>()[i] = static_cast<float>(i * 7 % 101) - 50.0F;
  const FloretSettings settings{2, 3, 2, 7, "<", ">"};
  use(Vectors(rows, settings));
  std::vector<std::string> words = {"It", std::string(40'000, 'a') + "b", "über"};
  for (int i = 0; i < 3000; ++i) words.push_back("word" + std::to_string(i));
  words.push_back(std::string(9'000, 'c'));
  words.emplace_back("It");
  const Doc doc = Doc::from_words(vocab_, std::span<const std::string>(words));
  const Doc* docs[] = {&doc};
  const auto model = layers::static_vectors({.outputs = 3, .width = 3});
  model->set_param("W", Tensor::from<float>({3, 3}, {1, 0, 0, 0, 1, 0, 0, 0, 1}));
  const auto found = numbers(std::get<Ragged>(model->predict(ctx_, DocBatch(docs))).data);
  ASSERT_EQ(found.size(), 3 * words.size());
  for (std::size_t w = 0; w < words.size(); ++w) {
    std::vector<std::int32_t> places;
    Vectors(rows, settings).append_rows(words[w], places);
    for (std::size_t j = 0; j < 3; ++j) {
      float sum = 0.0F;
      for (const int place : places)
        sum += rows.data<float>()[static_cast<std::size_t>(place) * 3 + j];
      EXPECT_FLOAT_EQ(found[3 * w + j], sum * (1.0F / static_cast<float>(places.size())))
          << words[w].substr(0, 10);
    }
  }
}

TEST_F(StaticVectorsTest, WithARateOneMaskServesAllTokens) {
  const auto never = recorded(layers::static_vectors({.outputs = 2, .width = 3}));
  const auto model = recorded(layers::static_vectors({.outputs = 2, .width = 3, .dropout = 0.0}));
  model->name_sites("tok2vec");
  bool dropped = false;
  for (int step = 0; step < 20; ++step) {
    Gradients gradients;
    CounterMasks masks(1, static_cast<std::uint64_t>(step));
    ctx_.pass().train(0.5, gradients, masks);
    const Value output = (*model)(ctx_, DocBatch(batch_)).output;
    const auto rows = numbers(std::get<Ragged>(output).data);
    dropped = dropped || rows[0] == 0.0F;
    EXPECT_EQ(rows[0] == 0.0F, rows[2] == 0.0F);
  }
  ctx_.pass().predict();
  EXPECT_TRUE(dropped);
  EXPECT_TRUE(never->attr("dropout_rate")->is_null());
}

// Recorded from spaCy 3.8: the means of the rows of the n-grams.
TEST_F(StaticVectorsTest, FloretVectorsAreMeansOfRows) {
  Tensor rows = Tensor::zeros({10, 2});
  for (int i = 0; i < 20; ++i) rows.data<float>()[i] = static_cast<float>(i);
  use(Vectors(rows, FloretSettings{2, 3, 2, 7, "<", ">"}));
  docs_ = {Doc::from_words(vocab_, {"It", "über", "It"})};
  batch_ = {&docs_.front()};
  const auto model = layers::static_vectors({.outputs = 2, .width = 2});
  model->set_param("W", Tensor::from<float>({2, 2}, {1, 0, 0, 1}));
  expect_near(run(*model), {8.666667F, 9.666667F, 8.6F, 9.6F, 8.666667F, 9.666667F});
}

TEST_F(StaticVectorsTest, KeysMayBeAnotherAttribute) {
  use(Vectors(table(), keys({"the", "cat"}), Attr::lower));
  docs_ = {Doc::from_words(vocab_, {"THE", "Cat"})};
  batch_ = {&docs_.front()};
  const auto model = recorded(layers::static_vectors({.outputs = 2, .width = 3}));
  expect_near(run(*model), {0.1F, 0.2F, 0.15F, 0.3F});
}

TEST_F(StaticVectorsTest, TakesItsWidthFromThePipeline) {
  const auto model = layers::static_vectors({.outputs = 2});
  InitRandom random(1);
  model->initialize(ctx_, DocBatch(batch_), {}, random);
  EXPECT_EQ(model->dim("nM"), 3);
  EXPECT_EQ(model->param("W").value.shape(), (Shape{2, 3}));
}

std::string failure(const std::function<void()>& run) {
  try {
    run();
  } catch (const Error& error) {
    return error.what();
  }
  return "it runs";
}

TEST_F(StaticVectorsTest, SaysWhatToDoWithoutVectors) {
  use(Vectors());
  const auto model = layers::static_vectors({.outputs = 2});
  InitRandom random(1);
  EXPECT_THAT(failure([&] { model->initialize(ctx_, DocBatch(batch_), {}, random); }),
              testing::HasSubstr("--paths.vectors"));
  const auto made = recorded(layers::static_vectors({.outputs = 2, .width = 3}));
  EXPECT_THAT(failure([&] { run(*made); }),
              testing::HasSubstr("needs word vectors of width 3, the pipeline's have 0"));
}

TEST_F(StaticVectorsTest, NoTokensAreNoRows) {
  const auto model = recorded(layers::static_vectors({.outputs = 2, .width = 3}));
  const Doc empty(vocab_);
  const Doc* docs[] = {&empty};
  const Value output = model->predict(ctx_, DocBatch(docs));
  EXPECT_EQ(std::get<Ragged>(output).data.shape(), (Shape{0, 2}));
  EXPECT_EQ(std::get<Ragged>(output).lengths, std::vector<std::int64_t>{0});
}

}  // namespace
}  // namespace weft
