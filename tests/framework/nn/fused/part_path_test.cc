#include "framework/nn/fused/part_path.h"

#include <memory>

#include <gtest/gtest.h>

#include "registry/base/error.h"

namespace weft {
namespace {

ModelPtr node(const char* name) {
  return std::make_shared<Model>(name, Model::ForwardFn());
}

TEST(PartPath, ACloneHasItsPartsAtTheSamePlaces) {
  const ModelPtr root = node("chain"), inner = node("chain"), affine = node("maxout"),
                 norm = node("layernorm");
  inner->layers() = {affine, norm};
  root->layers() = {affine, inner};
  const PartPath path(norm, *root);
  EXPECT_EQ(&path.in(*root), norm.get());
  const ModelPtr copy = root->clone();
  EXPECT_EQ(&path.in(*copy), copy->layers()[1]->layers()[1].get());
}

TEST(PartPath, TheRootIsAPartOfItself) {
  const ModelPtr root = node("chain");
  root->layers() = {node("maxout")};
  EXPECT_EQ(&PartPath(root, *root).in(*root), root.get());
}

TEST(PartPath, APartInPlaceOfAnotherIsFoundWhereThatWas) {
  const ModelPtr root = node("chain"), norm = node("layernorm"), other = node("layernorm");
  root->layers() = {node("maxout"), norm};
  const PartPath path(norm, *root);
  root->replace(*norm, other);
  EXPECT_EQ(&path.in(*root), other.get());
}

TEST(PartPath, ANodeOfAnotherTreeIsNoPart) {
  const ModelPtr root = node("chain");
  EXPECT_THROW(PartPath(node("layernorm"), *root), Error);
}

}  // namespace
}  // namespace weft
