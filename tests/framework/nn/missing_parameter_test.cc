#include "framework/nn/missing_parameter.h"

#include <memory>

#include <gtest/gtest.h>

namespace weft {
namespace {

Forward no_forward(Context&, const Model&, const Value&) {
  return {};
}

TEST(MissingParameter, IsFoundWhereverItIsInTheTree) {
  const auto root = std::make_shared<Model>("root", no_forward);
  EXPECT_EQ(missing_parameter(*root), nullptr);
  const auto layer = std::make_shared<Model>("layer", no_forward);
  root->layers() = {layer};
  layer->set_param("W", Tensor::zeros({2}));
  layer->declare_param("b");
  ASSERT_NE(missing_parameter(*root), nullptr);
  EXPECT_EQ(missing_parameter(*root)->name, "b");
  layer->set_param("b", Tensor::zeros({1}));
  EXPECT_EQ(missing_parameter(*root), nullptr);
}

}  // namespace
}  // namespace weft
