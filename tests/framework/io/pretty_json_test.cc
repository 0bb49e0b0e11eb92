#include "framework/io/pretty_json.h"

#include <gtest/gtest.h>

#include "registry/value/json.h"

namespace weft {
namespace {

TEST(PrettyJsonTest, LooksLikeTheReferencesFiles) {
  Object inner;
  inner.set("f", 0.12345678901234);
  inner.set("whole", 1.0);
  Object object;
  object.set("name", "x");
  object.set("labels", List{"a", 2});
  object.set("none", List{});
  object.set("scores", inner);
  EXPECT_EQ(to_pretty_json(object),
            "{\n  \"name\":\"x\",\n  \"labels\":[\n    \"a\",\n    2\n  ],\n  \"none\":[\n\n  ],\n"
            "  \"scores\":{\n    \"f\":0.123456789,\n    \"whole\":1.0\n  }\n}");
}

TEST(PrettyJsonTest, IsValidJson) {
  Object object;
  object.set("tiny", 1e-300);
  object.set("empty", Object());
  const auto read = parse_json(to_pretty_json(object));
  ASSERT_TRUE(read);
  EXPECT_TRUE(read->same_value(Node(object)));
}

}  // namespace
}  // namespace weft
