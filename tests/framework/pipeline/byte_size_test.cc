#include "framework/pipeline/byte_size.h"

#include <gtest/gtest.h>

#include "framework/pipeline/pipeline_settings.h"
#include "registry/base/error.h"

namespace weft {
namespace {

TEST(ByteSizeTest, UnitsArePowersOfThousandOrOf1024) {
  EXPECT_EQ(parse_byte_size("2GB"), 2'000'000'000);
  EXPECT_EQ(parse_byte_size("2 gib"), 2LL << 30);
  EXPECT_EQ(parse_byte_size("1.5MiB"), 1572864);
  EXPECT_EQ(parse_byte_size("500mb"), 500'000'000);
  EXPECT_EQ(parse_byte_size("64kB"), 64'000);
  EXPECT_EQ(parse_byte_size("17B"), 17);
}

TEST(ByteSizeTest, EverythingElseIsNone) {
  for (const char* text : {"", "GB", "2", "-2GB", "0GB", "2 G B", "2GBs", "two GB", "1e3GB",
                           "nanGB", "99999999999TB", " 2GB"}) {
    EXPECT_EQ(parse_byte_size(text), std::nullopt) << text;
  }
}

TEST(ByteSizeTest, TextsForMessages) {
  EXPECT_EQ(byte_size_text(64e3), "64 kB");
  EXPECT_EQ(byte_size_text(2.25e6), "2.2 MB");
  EXPECT_EQ(byte_size_text(250e6), "250 MB");
  EXPECT_EQ(byte_size_text(1.5e9), "1.50 GB");
}

TEST(ByteSizeTest, AFieldMayBeAnAmount) {
  using Conversion = FieldConversion<ByteSize>;
  EXPECT_EQ(Conversion::from_node("3MB").bytes, 3'000'000);
  EXPECT_EQ(Conversion::from_node(Conversion::to_node({1234})).bytes, 1234);
  EXPECT_EQ(Conversion::fault("3MB"), "");
  EXPECT_EQ(Conversion::fault("lots"),
            "\"lots\" is no amount of memory; write it as \"2GB\", \"500MB\" or \"1.5GiB\"");
}

TEST(ByteSizeTest, TheLimitOfAConfig) {
  Config config;
  EXPECT_FALSE(system_settings(config).memory);
  const auto limit = [&](const Node& memory) {
    Object system;
    system.set("memory", memory);
    system.set("unknown", 1);
    config.root().set("system", system);
    return system_settings(config).memory;
  };
  EXPECT_EQ(limit("3MB")->bytes, 3'000'000);
  EXPECT_FALSE(limit(nullptr));
  EXPECT_THROW(limit(3), Error);
  EXPECT_THROW(limit("lots"), Error);
}

}  // namespace
}  // namespace weft
