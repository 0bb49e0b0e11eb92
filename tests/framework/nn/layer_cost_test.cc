#include "framework/nn/layer_cost.h"

#include <memory>

#include <gtest/gtest.h>

#include "framework/nn/model.h"

namespace weft {
namespace {

ModelPtr layer(std::int64_t width) {
  auto model = std::make_shared<Model>("any", [](Context&, const Model&, const Value& x) {
    return Forward{x, {}};
  });
  if (width > 0) model->set_dim("nO", width);
  return model;
}

// As attention does: scores of each row of a document with each other, and their gradients.
LayerCost cost_of_attention(const Model&, double width) {
  return {.per_row = 6 * width, .per_document = 1, .per_pair = 2, .width = width};
}

TEST(LayerCostTest, ALayerThatDeclaresNothingKeepsItsInputItsOutputAndItsGradient) {
  const LayerCost cost = layer(8)->cost(5);
  EXPECT_EQ(cost.per_row, 21);
  EXPECT_EQ(cost.per_document, 0);
  EXPECT_EQ(cost.per_pair, 0);
  EXPECT_EQ(cost.width, 8);
  EXPECT_EQ(layer(0)->cost(5).width, 5);
}

TEST(LayerCostTest, PartsAddUpEachWithTheWidthOfTheOneBefore) {
  const ModelPtr attention = layer(0), whole = layer(0);
  attention->set_cost(cost_of_attention);
  whole->layers() = {layer(8), attention};
  const LayerCost cost = whole->cost(5);
  EXPECT_EQ(cost.per_row, 21 + 48);
  EXPECT_EQ(cost.per_document, 1);
  EXPECT_EQ(cost.per_pair, 2);
  EXPECT_EQ(cost_with_sum(*whole, 5).per_row, 21 + 48 + 16);
  EXPECT_EQ(whole->clone()->cost(5).per_pair, 2) << "copies cost what they are copied from";
}

// A name says nothing: only the layer itself does.
TEST(LayerCostTest, TheWholeMayDeclareWhatItsPartsTakeTogether) {
  const ModelPtr whole = layer(0);
  whole->layers() = {layer(8), layer(8)};
  whole->set_cost(
      [](const Model&, double width) { return LayerCost{.per_row = 1, .width = width}; });
  EXPECT_EQ(whole->cost(5).per_row, 1);
}

}  // namespace
}  // namespace weft
