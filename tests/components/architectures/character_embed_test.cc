#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "components/architectures/tok2vec_parts.h"
#include "framework/nn/gradient_check.h"
#include "framework/nn/gradients.h"
#include "framework/text/doc.h"
#include "framework/text/vectors.h"
#include "registry/base/error.h"
#include "tests/components/building.h"

namespace weft {
namespace {

class CharacterEmbedTest : public ::testing::Test {
 protected:
  CharacterEmbedTest() {
    std::vector<Vectors::KeyRow> keys;
    for (const char* word : {"The", "cat", "saw", "It", "the"}) {
      keys.emplace_back(string_id(word), static_cast<std::int32_t>(keys.size()));
    }
    Tensor table = Tensor::zeros({5, 3});
    for (int i = 0; i < 15; ++i) table.data<float>()[i] = static_cast<float>(i % 7) / 7 - 0.4F;
    vocab_->set_vectors(std::make_shared<Vectors>(table, keys));
    docs_.push_back(Doc::from_words(vocab_, {"The", "cat", "saw", "the", "cat"}));
    docs_.push_back(Doc(vocab_));
    docs_.push_back(Doc::from_words(vocab_, {"It"}));
    for (const Doc& doc : docs_) batch_.push_back(&doc);
  }

  void initialize(Model& model) {
    InitRandom random(3);
    model.initialize(ctx_, DocBatch(batch_), {}, random);
    model.name_sites("tok2vec");
  }
  static std::vector<std::string> names(const Model& model) {
    std::vector<std::string> names;
    for (const Model* node : model.walk()) names.push_back(node->name());
    return names;
  }

  std::shared_ptr<Vocab> vocab_ = std::make_shared<Vocab>("en");
  std::vector<Doc> docs_;
  std::vector<const Doc*> batch_;
  Context ctx_;
};

// Recorded from spaCy 3.8: nodes breadth first.
TEST_F(CharacterEmbedTest, HasTheNodesOfTheReference) {
  const std::string hashed = "ints-getitem>>hashembed";
  const std::string feature = "extract_features>>list2ragged>>with_array(" + hashed + ")";
  const std::string embed = "charembed>>list2ragged|" + feature + "|static_vectors";
  const std::string mix = "maxout>>layernorm>>dropout";
  const std::vector<std::string> expected = {embed + ">>with_array(" + mix + ")>>ragged2list",
                                             embed,
                                             "with_array(" + mix + ")",
                                             "ragged2list",
                                             "charembed>>list2ragged",
                                             feature,
                                             "static_vectors",
                                             mix,
                                             "charembed",
                                             "list2ragged",
                                             "extract_features",
                                             "list2ragged",
                                             "with_array(" + hashed + ")",
                                             "maxout>>layernorm",
                                             "dropout",
                                             hashed,
                                             "maxout",
                                             "layernorm",
                                             "ints-getitem",
                                             "hashembed"};
  const ModelPtr model = character_embed({8, 20, 2, 3, true, "NORM"});
  EXPECT_EQ(names(*model), expected);
  EXPECT_EQ(model->walk()[16]->dim("nI"), 22);
  EXPECT_EQ(model->walk()[19]->attr("seed")->as_integer(), 5);
}

TEST_F(CharacterEmbedTest, GivesARowForEveryToken) {
  const ModelPtr model = character_embed({8, 20, 2, 3, false, "LOWER"});
  initialize(*model);
  const Value output = model->predict(ctx_, DocBatch(batch_));
  const Ragged& rows = std::get<Ragged>(output);
  EXPECT_EQ(rows.data.shape(), (Shape{6, 8}));
  EXPECT_EQ(rows.lengths, (std::vector<std::int64_t>{5, 0, 1}));
}

// The table of the attribute has no rate, so training does not drop it.
TEST_F(CharacterEmbedTest, TheHashedAttributeIsNotDropped) {
  const ModelPtr model = character_embed({8, 20, 2, 3, false, "LOWER"});
  initialize(*model);
  const Model& feature = *model->layers()[0]->layers()[1];
  const auto run = [&](bool training) {
    Gradients gradients;
    CounterMasks masks(1, 0);
    if (training) ctx_.pass().train(0.9, gradients, masks);
    const Value output = feature(ctx_, DocBatch(batch_)).output;
    ctx_.pass().predict();
    const Tensor& rows = std::get<Ragged>(output).data;
    return std::vector<float>(rows.data<float>(), rows.data<float>() + rows.size());
  };
  EXPECT_EQ(run(true), run(false));
}

TEST_F(CharacterEmbedTest, RefusesAnAttributeThatIsNone) {
  EXPECT_THROW(character_embed({8, 20, 2, 3, false, "NOSUCH"}), Error);
}

TEST_F(CharacterEmbedTest, StaticVectorsAreTheLastBlockOfMultiHashEmbed) {
  const ModelPtr model = multi_hash_embed({8, {"NORM", "SHAPE"}, {10, 10}, true});
  const auto nodes = model->walk();
  ASSERT_EQ(nodes.size(), 21U);
  EXPECT_EQ(nodes[5]->name(), "static_vectors");
  EXPECT_EQ(nodes[13]->name(), "maxout");
  EXPECT_EQ(nodes[13]->dim("nI"), 24);
  initialize(*model);
  EXPECT_EQ(nodes[5]->dim("nM"), 3);
  for (const double dropout : {0.0, 0.3}) {
    const auto result = check_gradients(*model, DocBatch(batch_), {.dropout = dropout});
    EXPECT_LT(result.worst, 2e-2) << result.where;
  }
}

constexpr const char* kOlder = R"cfg(@architectures = "spacy.Tok2Vec.VERSION"

[block.embed]
@architectures = "spacy.MultiHashEmbed.VERSION"
width = 8
attrs = ["NORM"]
rows = [10]
include_static_vectors = false

[block.encode]
@architectures = "spacy.MaxoutWindowEncoder.VERSION"
width = 8
window_size = 2
maxout_pieces = 3
depth = 2
)cfg";

ModelPtr of_version(const std::string& version) {
  std::string text = kOlder;
  for (auto at = text.find("VERSION"); at != std::string::npos; at = text.find("VERSION")) {
    text.replace(at, 7, version);
  }
  return testing::build<ModelPtr>(text);
}

// spaCy 3.8 puts the padding of version 1 around the encoder in Tok2Vec, of version 2 in the
// encoder; the encoder that is referred to lies further down.
TEST_F(CharacterEmbedTest, TheOlderArchitecturesGiveTheSameTree) {
  const ModelPtr older = of_version("v1"), newer = of_version("v2");
  EXPECT_EQ(names(*older), names(*newer));
  EXPECT_EQ(older->walk()[2]->attr("pad")->as_integer(), 4);
  EXPECT_EQ(&older->ref("encode"), older->walk()[8]);
  EXPECT_EQ(&newer->ref("encode"), newer->walk()[2]);
  initialize(*older);
  initialize(*newer);
  const Value first = older->predict(ctx_, DocBatch(batch_));
  const Value second = newer->predict(ctx_, DocBatch(batch_));
  const Tensor &a = std::get<Ragged>(first).data, &b = std::get<Ragged>(second).data;
  for (std::int64_t i = 0; i < a.size(); ++i) EXPECT_EQ(a.data<float>()[i], b.data<float>()[i]);
}

}  // namespace
}  // namespace weft
