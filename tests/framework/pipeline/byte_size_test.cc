#include "framework/pipeline/byte_size.h"

#include <gtest/gtest.h>

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

TEST(ByteSizeTest, TheLimitOfAConfig) {
  Config config;
  EXPECT_EQ(memory_limit(config), 0);
  Object system;
  system.set("memory", "3MB");
  config.root().set("system", system);
  EXPECT_EQ(memory_limit(config), 3'000'000);
  system.set("memory", nullptr);
  config.root().set("system", system);
  EXPECT_EQ(memory_limit(config), 0);
  system.set("memory", 3);
  config.root().set("system", system);
  EXPECT_THROW(memory_limit(config), Error);
}

}  // namespace
}  // namespace weft
