#include "framework/text/lookups.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "framework/io/msgpack_writer.h"
#include "registry/base/error.h"

namespace weft {
namespace {

std::string other_table() {
  MsgpackWriter out;
  out.map(1);
  out.str("key");
  out.array(2);
  out.integer(1);
  out.nil();
  return out.take();
}

TEST(Lookups, EmptyOnesAreOneByte) {
  EXPECT_EQ(Lookups().packed(), "\x80");
  EXPECT_TRUE(Lookups::parse("\x80", "file").empty());
  EXPECT_THROW(Lookups::parse("\x80\x80", "file"), Error) << "more follows";
  EXPECT_TRUE(Lookups().norms().empty());
}

TEST(Lookups, TablesOfAnyKindComeBackInTheirOrder) {
  Lookups lookups;
  lookups.set("other", other_table());
  lookups.add(Lookups::kNorms, {{"cuz", "because"}, {"ppl", "people"}});
  const Lookups read = Lookups::parse(lookups.packed(), "file");
  EXPECT_EQ(read.packed(), lookups.packed());
  ASSERT_NE(read.find("other"), nullptr);
  EXPECT_EQ(*read.find("other"), other_table());
  EXPECT_EQ(read.find("absent"), nullptr);
  EXPECT_EQ(read.norms().at(string_id("ppl")), "people");
}

TEST(Lookups, AddedWordsReplaceThoseThatWereThere) {
  Lookups lookups;
  lookups.add(Lookups::kNorms, {{"cuz", "cause"}, {"ppl", "people"}});
  lookups.add(Lookups::kNorms, {{"cuz", "because"}, {"u", "you"}});
  EXPECT_EQ(lookups.norms().size(), 3U);
  EXPECT_EQ(lookups.norms().at(string_id("cuz")), "because");
  EXPECT_EQ(lookups.norms().at(string_id("u")), "you");
}

TEST(Lookups, DamageNamesTheSource) {
  const auto failure = [](const std::string& bytes) -> std::string {
    try {
      Lookups::parse(bytes, "some/lookups.bin").norms();
    } catch (const Error& error) {
      return error.what();
    }
    return "fine";
  };
  Lookups lookups;
  lookups.set(Lookups::kNorms, other_table());
  EXPECT_THAT(failure(lookups.packed()), testing::HasSubstr("some/lookups.bin"));
  EXPECT_THAT(failure("\x81\xa1"), testing::HasSubstr("some/lookups.bin"));
  EXPECT_THAT(failure(""), testing::HasSubstr("some/lookups.bin"));
}

TEST(Lookups, ATableThatIsThereTwiceIsRefused) {
  MsgpackWriter out;
  out.map(2);
  for (int i = 0; i < 2; ++i) out.str("table"), out.map(0);
  EXPECT_THROW(Lookups::parse(out.bytes(), "file"), Error);
}

}  // namespace
}  // namespace weft
