#include "framework/nn/attribute_codec.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "registry/base/error.h"
#include "registry/value/json.h"

namespace weft {
namespace {

Node round_trip(const Node& value) {
  return attribute_from_bytes(attribute_to_bytes(value), "test");
}

TEST(AttributeCodec, KeepsEveryKindOfValue) {
  Object object;
  object.set("rate", 0.25);
  object.set("on", true);
  object.set("name", "näme");
  object.set("none", nullptr);
  List list;
  for (const std::int64_t number : {std::int64_t{0}, std::int64_t{-1}, std::int64_t{1} << 40}) {
    list.emplace_back(number);
  }
  object.set("list", std::move(list));
  const Node back = round_trip(Node(object));
  ASSERT_TRUE(back.is_object());
  EXPECT_EQ(to_json(back), to_json(Node(object)));
}

// The bytes that srsly.msgpack_dumps (2.4) gives.
TEST(AttributeCodec, WritesTheReferencesBytes) {
  EXPECT_EQ(attribute_to_bytes(true), "\xc3");
  EXPECT_EQ(attribute_to_bytes(nullptr), "\xc0");
  EXPECT_EQ(attribute_to_bytes(7), "\x07");
  EXPECT_EQ(attribute_to_bytes("ab"),
            "\xa2"
            "ab");
  EXPECT_EQ(attribute_to_bytes(0.5), std::string("\xcb\x3f\xe0\0\0\0\0\0\0", 9));
}

TEST(AttributeCodec, RefusesBytesThatAreNoValue) {
  for (const std::string& bytes : {std::string(), std::string("\x92\x01"),
                                   std::string("\xa5"
                                               "ab"),
                                   std::string("\xdd\xff\xff\xff\xff")}) {
    try {
      attribute_from_bytes(bytes, "model of 'ner'");
      ADD_FAILURE() << bytes.size();
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::data);
      EXPECT_THAT(error.what(), ::testing::HasSubstr("model of 'ner'"));
    }
  }
}

TEST(AttributeCodec, RefusesValuesThatAreNestedWithoutEnd) {
  EXPECT_NO_THROW(attribute_from_bytes(std::string(20, '\x91') + "\x01", "test"));
  EXPECT_THROW(attribute_from_bytes("\x01\x01", "test"), Error) << "two values";
  EXPECT_THROW(attribute_from_bytes(std::string(100000, '\x91') + "\x01", "test"), Error);
}

}  // namespace
}  // namespace weft
