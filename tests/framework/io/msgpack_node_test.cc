#include "framework/io/msgpack_node.h"

#include <string>

#include <gtest/gtest.h>

#include "registry/base/error.h"
#include "registry/value/json.h"

namespace weft {
namespace {

Node read_back(const std::string& bytes, const NameOfKey& name_of_key = {}) {
  MemoryCursor cursor(bytes, "test");
  MsgpackReader reader(cursor);
  return read_node(reader, name_of_key);
}

TEST(MsgpackNode, KeysThatAreIntegersGetNames) {
  MsgpackWriter out;
  out.map(2);
  out.integer(74);
  out.str("x");
  out.str("y");
  out.integer(-1);
  EXPECT_THROW(read_back(out.bytes()), Error) << "nothing names them";
  const Node node = read_back(out.bytes(), [](std::int64_t key) { return std::to_string(key); });
  EXPECT_EQ(to_json(node), R"({"74": "x", "y": -1})");
}

TEST(MsgpackNode, UnsignedIntegersComeBack) {
  const Node node = *parse_json("[18446744073709551615, 9223372036854775808, -1, 1]");
  MsgpackWriter out;
  write_node(out, node);
  EXPECT_TRUE(read_back(out.bytes()).same_value(node)) << to_json(read_back(out.bytes()));
  EXPECT_THROW(write_node(out, *parse_json("18446744073709551616")), Error);
}

}  // namespace
}  // namespace weft
