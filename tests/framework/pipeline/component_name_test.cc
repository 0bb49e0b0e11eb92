#include "framework/pipeline/component_name.h"

#include <gtest/gtest.h>

#include "registry/base/error.h"

namespace weft {
namespace {

TEST(ComponentName, IsOnePathElementOfPlainCharacters) {
  for (const char* good :
       {"ner", "my-ner", "ner_2", "_ner", "2", "Entit\xc3\xa4ten", "\xe5\x90\x8d\xe5\x89\x8d"}) {
    EXPECT_EQ(fault_of_component_name(good), "") << good;
    EXPECT_EQ(component_path("folder", good), std::filesystem::path("folder") / good);
  }
  for (const char* bad : {"", ".", "..", "a/b", "/a", "a.b", "a b", "-a", "a\n", "\xff", "a\x1b",
                          "\xe2\x80\xae", "vocab", "Tokenizer", "LICENSE"}) {
    EXPECT_NE(fault_of_component_name(bad), "") << bad;
    EXPECT_THROW(component_path("folder", bad), Error) << bad;
  }
  EXPECT_EQ(fault_of_component_name(std::string(64, 'n')), "");
  EXPECT_NE(fault_of_component_name(std::string(65, 'n')), "");
  EXPECT_NE(fault_of_component_name(std::string_view("a\0b", 3)), "");
}

TEST(ComponentName, OneLikeItIsProposed) {
  EXPECT_EQ(similar_component_name("my ner"), "my_ner");
  EXPECT_EQ(similar_component_name("../a//b/"), "a_b");
  EXPECT_EQ(similar_component_name("-x"), "x");
  EXPECT_EQ(similar_component_name("vocab"), "my_vocab");
  for (const char* hopeless : {"", "..", "\xff", "///"}) {
    EXPECT_EQ(similar_component_name(hopeless), "") << hopeless;
  }
}

TEST(ComponentName, FoldersMayNotTellCasesApart) {
  EXPECT_TRUE(same_component_folder("ner", "NER"));
  EXPECT_TRUE(same_component_folder("\xc3\x84", "\xc3\xa4"));
  EXPECT_FALSE(same_component_folder("ner", "ner2"));
}

}  // namespace
}  // namespace weft
