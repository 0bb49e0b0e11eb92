#include "framework/precision/level.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "framework/precision/precision_settings.h"
#include "registry/base/error.h"

namespace weft {
namespace {

using ::testing::HasSubstr;
using Conversion = FieldConversion<LevelChoice>;

std::string hint(const std::string& level) {
  return "precision: unknown level \"" + level +
         "\"; use O0, O1, O2, O3 (letter O), fp32, tf32 or bf16 [P001]";
}

TEST(Level, ShorthandsChooseAFormatToo) {
  EXPECT_EQ(LevelChoice("O3").level, Level::O3);
  EXPECT_EQ(LevelChoice("bf16").level, Level::O1);
  EXPECT_TRUE(LevelChoice("bf16").bf16);
  EXPECT_EQ(LevelChoice("tf32").level, Level::O0);
  EXPECT_TRUE(LevelChoice("tf32").tf32);
  EXPECT_FALSE(LevelChoice("fp32").tf32 || LevelChoice("fp32").bf16);
}

TEST(Level, TheLetterIsNotAZero) {
  for (const char* level : {"01", "o1", "1", "O4", "", "O1 "}) {
    EXPECT_EQ(Conversion::fault(level), hint(level));
    try {
      const LevelChoice choice(level);
      FAIL() << level;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::config);
      EXPECT_THAT(error.what(), HasSubstr(hint(level)));
    }
  }
}

TEST(Level, ANumberForALevelIsAnOTypedAsAZero) {
  for (const std::int64_t number : {0, 1, 2, -1, 16}) {
    EXPECT_EQ(Conversion::fault(number), hint(std::to_string(number)));
  }
}

TEST(Level, ConvertsToTheNamesOfConfigsAndBack) {
  for (const char* level : {"O0", "O1", "O2", "O3", "tf32", "bf16"}) {
    EXPECT_EQ(Conversion::fault(level), "");
    EXPECT_EQ(Conversion::to_node(Conversion::from_node(level)).as_string(), level);
  }
  const Signature signature = signature_of<PrecisionSettings>();
  EXPECT_EQ(signature.find("level")->type.str(), "string or integer");
  EXPECT_EQ(signature.find("level")->default_value->as_string(), "O0");
}

}  // namespace
}  // namespace weft
