#include "framework/io/record_frames.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "framework/io/proto_message.h"
#include "tests/framework/training/logs/decoded.h"

namespace weft {
namespace {

using testing_logs::Decoded;

TEST(ProtoMessageTest, FieldsHaveTheBytesOfTheWireFormat) {
  // The examples of the format's own documentation.
  EXPECT_EQ(ProtoMessage().integer(1, 150).bytes(), "\x08\x96\x01");
  EXPECT_EQ(ProtoMessage().text(2, "testing").bytes(), "\x12\x07testing");
  EXPECT_EQ(ProtoMessage().message(3, ProtoMessage().integer(1, 150)).bytes(),
            "\x1a\x03\x08\x96\x01");
  EXPECT_EQ(ProtoMessage().integer(1, -1).bytes(), "\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01");
  EXPECT_EQ(ProtoMessage().number(1, 1.0).bytes(), std::string("\x09\0\0\0\0\0\0\xf0\x3f", 9));
  EXPECT_EQ(ProtoMessage().single(2, -2.0).bytes(), std::string("\x15\0\0\0\xc0", 5));
  EXPECT_EQ(ProtoMessage().integer(200, 0).bytes(), std::string("\xc0\x0c\0", 3));
}

TEST(ProtoMessageTest, NumbersBeyondAFloatBecomeInfinities) {
  const auto single = [](double value) {
    return Decoded(ProtoMessage().single(1, value).bytes()).one(1).as_float();
  };
  EXPECT_EQ(single(1e300), std::numeric_limits<float>::infinity());
  EXPECT_EQ(single(-1e300), -std::numeric_limits<float>::infinity());
  EXPECT_EQ(single(std::numeric_limits<double>::infinity()),
            std::numeric_limits<float>::infinity());
  EXPECT_TRUE(std::isnan(single(std::numeric_limits<double>::quiet_NaN())));
  EXPECT_EQ(single(0.1), 0.1F);
}

TEST(RecordFramesTest, ChecksumsAreThoseOfTheStandard) {
  // RFC 3720, B.4.
  EXPECT_EQ(crc32c(std::string(32, '\0')), 0x8a9136aaU);
  EXPECT_EQ(crc32c(std::string(32, '\xff')), 0x62a8ab43U);
  EXPECT_EQ(crc32c("123456789"), 0xe3069283U);
}

TEST(RecordFramesTest, ATfRecordStandsBetweenItsLengthAndChecksums) {
  const std::string file = tf_record("\x08\x01") + tf_record("") + tf_record("\x08\x02");
  EXPECT_EQ(file.size(), 3 * 16U + 4U);
  const auto events = testing_logs::events_in(file);
  ASSERT_EQ(events.size(), 3U);
  EXPECT_EQ(events[0].one(1).integer, 1U);
  EXPECT_EQ(events[2].one(1).integer, 2U);
}

// Records of all lengths around the end of a block, so that every kind of rest is left there.
TEST(RecordFramesTest, FragmentsDoNotCrossBlocks) {
  for (std::size_t before = 32768 - 40; before <= 32768 + 3; ++before) {
    std::string file(":W&B\xe1\xbe\0", 7);
    std::vector<std::size_t> sizes = {before - 7 - 7 - 4, 0, 9, 70'000, 5};
    for (const std::size_t size : sizes) {
      const std::string text(size, 'x');
      const ProtoMessage record = ProtoMessage().text(3, text);
      file += block_record(record.bytes(), static_cast<std::int64_t>(file.size()));
    }
    const auto records = testing_logs::wandb_records_in(file);
    ASSERT_EQ(records.size(), sizes.size()) << before;
    for (std::size_t i = 0; i < sizes.size(); ++i) {
      EXPECT_EQ(records[i].one(3).bytes.size(), sizes[i]);
    }
  }
}

}  // namespace
}  // namespace weft
