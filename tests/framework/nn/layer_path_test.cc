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

TEST(LayerPath, ALayerThatJoinsOthersIsCalledByHow) {
  const ModelPtr inner = node("residual(a>>b)", {node("linear")});
  const ModelPtr root = node("residual(a>>b)>>c", {inner, node("a|b>>c(d)")});
  inner->set_path_name("residual");
  root->name_sites("ner");
  EXPECT_EQ(inner->path(), "components.ner.model.residual");
  EXPECT_EQ(inner->layers()[0]->path(), "components.ner.model.residual.linear");
  EXPECT_EQ(root->layers()[1]->path(),
            "components.ner.model.a|b>>c(d)");  // nothing is read out of it
  inner->set_name("Flattener");
  EXPECT_EQ(inner->path_name(), "residual");
}

TEST(LayerPath, NamesakesAreNumbered) {
  const ModelPtr a = node("maxout"), b = node("maxout"), c = node("linear");
  const ModelPtr inner = node("maxout>>linear", {b, c});
  const ModelPtr root = node("a>>b>>c", {a, node("maxout"), inner});
  inner->set_path_name("chain");
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
