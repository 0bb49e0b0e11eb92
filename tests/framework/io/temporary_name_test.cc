#include "framework/io/temporary_name.h"

#include <set>

#include <gtest/gtest.h>
#include <limits.h>

namespace weft {
namespace {

TEST(TemporaryName, NoTwoAreAlikeAndEachIsRecognized) {
  std::set<std::string> names;
  for (int i = 0; i < 100; ++i) {
    for (const TemporaryKind kind : {TemporaryKind::fresh, TemporaryKind::old}) {
      const std::string name = temporary_name("a.new-b.jsonl", kind);
      names.insert(name);
      const auto parsed = parse_temporary_name(name);
      ASSERT_TRUE(parsed) << name;
      EXPECT_EQ(parsed->name, "a.new-b.jsonl");
      EXPECT_EQ(parsed->kind, kind);
    }
  }
  EXPECT_EQ(names.size(), 200u);
  EXPECT_EQ(parse_temporary_name(".model.old-4711")->name, "model");  // of earlier versions
}

TEST(TemporaryName, OthersAreNone) {
  for (const char* name :
       {"model.new-12", ".model", ".new-12", ".model.new-", ".model.new-version",
        ".model.new-abcdefghijklmno", ".model.new-abcdefghijklmnopq", ".model.new-ABCDEFGHIJKLMNOP",
        ".model.new-abcdefghijklmno1", ".model.older-12", ".model.new-12 "}) {
    EXPECT_FALSE(parse_temporary_name(name)) << name;
  }
}

TEST(TemporaryName, ALongNameLeavesRoom) {
  std::string name(NAME_MAX - 1, 'x');
  EXPECT_LE(temporary_name(name, TemporaryKind::fresh).size(), std::size_t{NAME_MAX});
  for (const char* character : {"\xc3\xa4", "\xe2\x82\xac"}) {
    std::string text;
    while (text.size() < NAME_MAX - 3) text += character;
    const std::string cut = parse_temporary_name(temporary_name(text, TemporaryKind::fresh))->name;
    EXPECT_EQ(cut.size() % std::string(character).size(), 0u);
    EXPECT_TRUE(text.starts_with(cut));
  }
}

}  // namespace
}  // namespace weft
