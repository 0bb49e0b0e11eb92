#include "framework/text/symbols.h"

#include <gtest/gtest.h>

namespace weft {
namespace {

// Values of spaCy 3.8's StringStore.
TEST(Symbols, IdsAreSpacys) {
  EXPECT_EQ(string_id(""), 0u);
  EXPECT_EQ(string_id("IS_ALPHA"), 1u);
  EXPECT_EQ(string_id("ORTH"), 65u);
  EXPECT_EQ(string_id("X"), 101u);
  EXPECT_EQ(string_id("ORG"), 383u);
  EXPECT_EQ(string_id("agent"), 401u);
  EXPECT_EQ(string_id("_"), 456u);
  EXPECT_EQ(string_id("a"), 0xa52be5b3f6674b2aULL);
  EXPECT_EQ(string_id("the"), 0x670e66a635739a92ULL);
  EXPECT_EQ(string_id("New York"), 0xeaafe00d6cb1cfa0ULL);
  EXPECT_EQ(string_id("über"), 0x14d9a737a69c060bULL);
  EXPECT_EQ(string_id("\xF0\x9F\x98\x80"), 0xc0e8dfba091d8f01ULL);
  EXPECT_EQ(string_id("internationalization"), 0xbb1ae845ad3ae0e2ULL);
}

TEST(Symbols, NamesAndIdsGoBothWays) {
  for (StringId id = 0; id <= kSymbolCount; ++id) {
    ASSERT_TRUE(symbol_name(id)) << id;
    EXPECT_EQ(string_id(*symbol_name(id)), id);
  }
  EXPECT_FALSE(symbol_name(kSymbolCount + 1));
  EXPECT_EQ(symbol_name(104), "DEPRECATED001");
  EXPECT_EQ(symbol_name(63), "FLAG63");
}

TEST(Symbols, AttributesByName) {
  EXPECT_EQ(attr_of("norm"), Attr::norm);
  EXPECT_EQ(attr_of("ENT_TYPE"), Attr::ent_type);
  EXPECT_EQ(attr_of("Is_Stop"), Attr::is_stop);
  EXPECT_EQ(attr_of("MORPH"), Attr::morph);
  for (const char* name : {"", "ID", "PERSON", "CLUSTER", "IS_OOV_DEPRECATED", "norms", "_"}) {
    EXPECT_FALSE(attr_of(name)) << name;
  }
}

}  // namespace
}  // namespace weft
