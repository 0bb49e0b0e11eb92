#include "framework/io/msgpack_reader.h"

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "framework/io/msgpack_writer.h"
#include "registry/base/error.h"

namespace weft {
namespace {

using ::testing::HasSubstr;

TEST(MsgpackReader, SkipsAndCopiesWholeValues) {
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

TEST(MsgpackReader, TextsAreCheckedWhereTheyAreAskedForAsSuch) {
  MsgpackWriter writer;
  writer.str("\xC3\xA9");
  writer.str("\xC3");
  const std::string bytes = writer.take();
  MemoryCursor cursor(bytes, "bytes");
  MsgpackReader reader(cursor);
  EXPECT_EQ(reader.read_text(), "\xC3\xA9");
  EXPECT_THROW(reader.read_text(), Error);
}

TEST(MsgpackReader, FaultsAreToldByName) {
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
