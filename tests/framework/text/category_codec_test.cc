#include "framework/text/category_codec.h"

#include <memory>
#include <string>

#include <gtest/gtest.h>

#include "registry/base/error.h"

namespace weft {
namespace {

using namespace std::string_literals;

class CategoryCodecTest : public ::testing::Test {
 protected:
  Doc read(const std::string& bytes) const {
    MemoryCursor cursor(bytes, "test");
    MsgpackReader reader(cursor);
    Doc doc(vocab_);
    ReadBudget budget("test", 0);
    read_cats(reader, budget, doc);
    return doc;
  }

  // A category whose value is a NumPy scalar of that type.
  CategoryValue scalar(const std::string& type, const std::string& data) const {
    MsgpackWriter writer;
    writer.map(1);
    writer.str("a");
    writer.map(3);
    writer.bin("nd");
    writer.boolean(false);
    writer.bin("type");
    writer.str(type);
    writer.bin("data");
    writer.bin(data);
    return read(writer.bytes()).cats().at(0).value;
  }

  std::shared_ptr<Vocab> vocab_ = std::make_shared<Vocab>("en");
};

TEST_F(CategoryCodecTest, ValuesKeepTheirType) {
  Doc doc(vocab_);
  doc.set_cat("number", 1.0);
  doc.set_cat("whole", std::int64_t{-3});
  doc.set_cat("flag", true);
  MsgpackWriter writer;
  write_cats(doc, writer);
  EXPECT_EQ(read(writer.bytes()).cats(), doc.cats());
}

TEST_F(CategoryCodecTest, NumPyScalarsBecomeNumbers) {
  EXPECT_EQ(scalar("<f4", "\x00\x00\x00\x3f"s), CategoryValue(0.5));
  EXPECT_EQ(scalar("<f8", "\0\0\0\0\0\0\xe0\xbf"s), CategoryValue(-0.5));
  EXPECT_EQ(scalar("<i8", "\xfe\xff\xff\xff\xff\xff\xff\xff"), CategoryValue(std::int64_t{-2}));
  EXPECT_EQ(scalar("<u2", "\x01\x80"s), CategoryValue(std::int64_t{0x8001}));
  EXPECT_EQ(scalar("|b1", "\x01"), CategoryValue(true));
}

TEST_F(CategoryCodecTest, EverythingElseIsRefused) {
  EXPECT_THROW(scalar("<f4", "\x00\x00"s), Error) << "too few bytes";
  EXPECT_THROW(scalar(">f4", "\x00\x00\x00\x3f"s), Error) << "another byte order";
  EXPECT_THROW(scalar("<c8", "\0\0\0\0\0\0\0\0"s), Error);
  EXPECT_THROW(read("\x81\xa1\x61\xa1\x62"), Error) << "text";
  EXPECT_THROW(read("\x81\xa1\x61\xc0"), Error) << "nil";
  EXPECT_THROW(read("\x81\xa1\xff\x01"), Error) << "a label that is not UTF-8";
  EXPECT_THROW(read("\x91\x01"), Error) << "a list";
  EXPECT_THROW(read("\x82\xa1\x61\x01"), Error) << "cut off";
}

TEST(CategoryCodec, ALabelThatIsThereTwiceIsRefused) {
  MsgpackWriter writer;
  writer.map(3);
  for (const char* label : {"a", "b", "a"}) writer.str(label), writer.integer(1);
  MemoryCursor cursor(writer.bytes(), "test");
  MsgpackReader reader(cursor);
  ReadBudget budget("test", 0);
  Doc doc(std::make_shared<Vocab>("en"));
  EXPECT_THROW(read_cats(reader, budget, doc), Error);
}

}  // namespace
}  // namespace weft
