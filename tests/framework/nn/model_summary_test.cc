#include "framework/nn/model_summary.h"

#include <gtest/gtest.h>

namespace weft {
namespace {

ModelPtr node(const std::string& name) {
  return std::make_shared<Model>(name, [](Context&, const Model&, const Value& x) {
    return Forward{x, {}};
  });
}

TEST(ModelSummary, ListsLayersBeforeTheirChildrenWithNumbersOfTheFile) {
  const ModelPtr root = node("chain"), left = node("left"), right = node("right"),
                 leaf = node("leaf");
  root->layers() = {left, right};
  left->layers() = {leaf};
  right->layers() = {leaf};  // met once
  const std::vector<LayerSummary> layers = summarize(*root);
  ASSERT_EQ(layers.size(), 4U);
  const std::vector<std::tuple<std::string, int, int>> expected = {
      {"chain", 0, 0}, {"left", 1, 1}, {"leaf", 3, 2}, {"right", 2, 1}};
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(std::tuple(layers[i].name, layers[i].number, layers[i].depth), expected[i]) << i;
  }
}

TEST(ModelSummary, CountsTheLayersOwnNumbers) {
  const ModelPtr root = node("linear"), child = node("child");
  root->layers() = {child};
  root->set_param("W", Tensor::zeros({3, 4}));
  root->set_param("b", Tensor::zeros({3}, DType::f16));
  root->declare_param("later");
  child->set_param("W", Tensor::zeros({100}));
  root->declare_dim("nI");
  root->set_dim("nO", 3);
  const LayerSummary layer = summarize(*root).front();
  EXPECT_EQ(layer.numbers(), 15);
  EXPECT_EQ(layer.bytes(), 12 * 4 + 3 * 2);
  ASSERT_EQ(layer.params.size(), 3U);
  EXPECT_EQ(layer.params[1].shape, (Shape{3}));
  EXPECT_EQ(layer.params[2].numbers, 0);
  ASSERT_EQ(layer.dims.size(), 2U);
  EXPECT_EQ(layer.dims[0].second, std::nullopt);
  EXPECT_EQ(layer.dims[1].second, 3);
}

}  // namespace
}  // namespace weft
