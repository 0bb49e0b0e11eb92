#include "framework/io/msgpack_writer.h"

#include <limits>
#include <string>

#include <gtest/gtest.h>

#include "framework/io/msgpack_reader.h"

namespace weft {
namespace {

TEST(MsgpackWriter, EveryKindOfValueComesBack) {
  MsgpackWriter writer;
  const std::int64_t integers[] = {
      0,          1,      127,         128,
      255,        256,    65535,       65536,
      4294967296, -1,     -32,         -33,
      -129,       -32769, -2147483649, std::numeric_limits<std::int64_t>::min()};
  writer.map(4);
  for (const std::int64_t value : integers) writer.integer(value);
  writer.unsigned_integer(std::numeric_limits<std::uint64_t>::max());
  writer.nil();
  writer.boolean(true);
  writer.number(0.1);
  writer.number(1.0);
  for (const std::size_t size : {0, 31, 32, 255, 256, 65535, 65536}) {
    writer.str(std::string(size, 'a'));
    writer.bin(std::string(size, 'b'));
    writer.array(static_cast<std::uint32_t>(size));
    writer.map(static_cast<std::uint32_t>(size));
  }

  MemoryCursor cursor(writer.bytes(), "test");
  MsgpackReader reader(cursor);
  EXPECT_EQ(reader.read_map(), 4u);
  for (const std::int64_t value : integers) EXPECT_EQ(reader.read_integer(), value);
  EXPECT_EQ(static_cast<std::uint64_t>(reader.read_integer()),
            std::numeric_limits<std::uint64_t>::max());
  reader.read_nil();
  EXPECT_TRUE(reader.read_bool());
  EXPECT_EQ(reader.read_number(), 0.1);
  EXPECT_EQ(reader.peek(), MsgpackType::floating) << "a float stays one";
  EXPECT_EQ(reader.read_number(), 1.0);
  for (const std::size_t size : {0, 31, 32, 255, 256, 65535, 65536}) {
    EXPECT_EQ(reader.read_str(), std::string(size, 'a'));
    EXPECT_EQ(reader.read_bin().size(), size);
    EXPECT_EQ(reader.read_array(), size);
    EXPECT_EQ(reader.read_map(), size);
  }
  EXPECT_TRUE(cursor.at_end());
}

}  // namespace
}  // namespace weft
