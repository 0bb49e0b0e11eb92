#include "registry/value/config.h"

#include <cmath>

#include <gtest/gtest.h>

namespace weft {
namespace {

TEST(ObjectTest, KeepsTheOrderOfKeys) {
  Object object;
  object.set("b", Node(1));
  object.set("a", Node(2));
  object.set("b", Node(3));
  ASSERT_EQ(object.size(), 2U);
  EXPECT_EQ(object.begin()->key, "b");
  EXPECT_EQ(object.begin()->node.as_integer(), 3);
}

TEST(ObjectTest, FindsAmongManyKeysAfterErasing) {
  Object object;
  for (int i = 0; i < 1000; ++i) object.set("k" + std::to_string(i), Node(i));
  EXPECT_TRUE(object.erase("k500"));
  EXPECT_FALSE(object.erase("k500"));
  EXPECT_EQ(object.find("k500"), nullptr);
  for (int i = 501; i < 1000; ++i) {
    ASSERT_EQ(object.find("k" + std::to_string(i))->as_integer(), i);
  }
  const Object copy = object;
  EXPECT_EQ(copy.find("k999")->as_integer(), 999);
}

TEST(NodeTest, TypesAndValuesBothCount) {
  EXPECT_FALSE(Node(1).same_value(Node(1.0)));
  EXPECT_FALSE(Node(1).same_value(Node(true)));
  EXPECT_FALSE(Node(0.0).same_value(Node(-0.0)));
  EXPECT_TRUE(Node(std::nan("")).same_value(Node(std::nan(""))));
  EXPECT_FALSE(Node("1").same_value(Node(1)));
}

TEST(NodeTest, OrderOfKeysDoesNotCount) {
  Object one, two;
  one.set("a", Node(1));
  one.set("b", Node(2));
  two.set("b", Node(2));
  two.set("a", Node(1));
  EXPECT_TRUE(Node(one).same_value(Node(two)));
  two.set("c", Node());
  EXPECT_FALSE(Node(one).same_value(Node(two)));
}

TEST(ConfigTest, FindsByDottedPath) {
  Object inner;
  inner.set("c", Node(1));
  Object root;
  root.set("a", Node(inner));
  Config config(root);
  ASSERT_NE(config.find("a.c"), nullptr);
  EXPECT_EQ(config.find("a.c")->as_integer(), 1);
  EXPECT_EQ(config.find("a.c.d"), nullptr);
  EXPECT_EQ(config.find("b"), nullptr);
  EXPECT_EQ(config.find(""), nullptr);
}

}  // namespace
}  // namespace weft
