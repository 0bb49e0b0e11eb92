#include "framework/nn/fused/maxout_parts.h"

#include <memory>

#include <gtest/gtest.h>

#include "registry/base/error.h"

namespace weft {
namespace {

ModelPtr node(const char* name) {
  return std::make_shared<Model>(name, Model::ForwardFn());
}

TEST(MaxoutParts, ACloneHasItsPartsAtTheSamePlaces) {
  const ModelPtr root = node("chain"), affine = node("maxout"), norm = node("layernorm");
  root->layers() = {affine, norm};
  EXPECT_EQ(place_of(norm, *root), 2U);
  const ModelPtr copy = root->clone();
  EXPECT_EQ(copy->walk()[place_of(norm, *root)], copy->layers()[1].get());
}

TEST(MaxoutParts, ANodeOfAnotherTreeIsNoPart) {
  const ModelPtr root = node("chain");
  EXPECT_THROW(place_of(node("layernorm"), *root), Error);
}

}  // namespace
}  // namespace weft
