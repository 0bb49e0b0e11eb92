#include "framework/nn/layer_path.h"

#include <gtest/gtest.h>

namespace weft {
namespace {

Forward nothing(Context&, const Model&, const Value&) {
  return {};
}

ModelPtr node(const std::string& name, std::vector<ModelPtr> layers = {}) {
  auto model = std::make_shared<Model>(name, nothing);
  model->layers() = std::move(layers);
  return model;
}

TEST(LayerPath, PartsThatJoinOthersAreCalledByHow) {
  const ModelPtr leaf = node("maxout");
  EXPECT_EQ(path_label(*leaf), "maxout");
  EXPECT_EQ(path_label(*node("a|b>>c", {})), "a|b>>c");  // a leaf's name is its own
  EXPECT_EQ(path_label(*node("maxout>>layernorm", {leaf})), "chain");
  EXPECT_EQ(path_label(*node("a|b", {leaf})), "concatenate");
  EXPECT_EQ(path_label(*node("residual(a>>b)", {leaf})), "residual");
  EXPECT_EQ(path_label(*node("with_array(a)>>b", {leaf})), "chain");
  EXPECT_EQ(path_label(*node("parser_model", {leaf})), "parser_model");
}

TEST(LayerPath, NamesakesAreNumbered) {
  const ModelPtr a = node("maxout"), b = node("maxout"), c = node("linear");
  const ModelPtr inner = node("maxout>>linear", {b, c});
  const ModelPtr root = node("a>>b>>c", {a, node("maxout"), inner});
  root->name_sites("ner");
  EXPECT_EQ(root->path(), "components.ner.model");
  EXPECT_EQ(a->path(), "components.ner.model.maxout");
  EXPECT_EQ(root->layers()[1]->path(), "components.ner.model.maxout_2");
  EXPECT_EQ(b->path(), "components.ner.model.chain.maxout");
  EXPECT_EQ(c->path(), "components.ner.model.chain.linear");
  EXPECT_EQ(a->site(), "ner/1/maxout");
}

}  // namespace
}  // namespace weft
