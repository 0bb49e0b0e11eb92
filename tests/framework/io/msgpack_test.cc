#include <limits>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "framework/io/msgpack_reader.h"
#include "framework/io/msgpack_writer.h"
#include "registry/base/error.h"

namespace weft {
namespace {

using ::testing::HasSubstr;

TEST(Msgpack, EveryKindOfValueComesBack) {
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

TEST(Msgpack, SkipsAndCopiesWholeValues) {
  MsgpackWriter writer;
  writer.map(1);
  writer.str("k");
  writer.array(3);
  writer.bin("bytes");
  writer.number(1.5);
  writer.map(0);
  const std::string value = writer.bytes();
  writer.nil();
  MemoryCursor cursor(writer.bytes(), "test");
  MsgpackReader reader(cursor);
  EXPECT_EQ(reader.copy_value(), value);
  EXPECT_EQ(reader.peek(), MsgpackType::nil);
  MemoryCursor again(writer.bytes(), "test");
  MsgpackReader second(again);
  second.skip_value();
  second.read_nil();
}

std::string error_of(std::string_view bytes, void (*read)(MsgpackReader&)) {
  MemoryCursor cursor(bytes, "file.bin");
  MsgpackReader reader(cursor);
  try {
    read(reader);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::data);
    return error.what();
  }
  return "no error";
}

TEST(Msgpack, FaultsAreToldByName) {
  EXPECT_THAT(error_of("\xc0", [](MsgpackReader& r) { r.read_str(); }),
              HasSubstr("file.bin  expected text, found nothing"));
  EXPECT_THAT(error_of("\xc1", [](MsgpackReader& r) { r.skip_value(); }),
              HasSubstr("no MessagePack"));
  EXPECT_THAT(error_of("\xc6\xff\xff\xff\xff"
                       "abc",
                       [](MsgpackReader& r) { r.read_bin(); }),
              HasSubstr("4294967292 bytes too early"));
  EXPECT_THAT(error_of("\xdd\xff\xff\xff\xff\xc0", [](MsgpackReader& r) { r.skip_value(); }),
              HasSubstr("too early"));
  EXPECT_THAT(error_of("", [](MsgpackReader& r) { r.peek(); }), HasSubstr("1 bytes too early"));
  const std::string deep(1'000'000, '\x91');
  EXPECT_THAT(error_of(deep, [](MsgpackReader& r) { r.skip_value(); }), HasSubstr("too early"))
      << "nesting costs no stack";
}

}  // namespace
}  // namespace weft
