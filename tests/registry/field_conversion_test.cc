// Fields of types that convert themselves.
#include <gtest/gtest.h>

#include "registry/building/resolve.h"
#include "registry/functions/fields.h"
#include "registry/reading/cfg_reader.h"

namespace weft_test {

struct Weekday {
  int number = 0;
};

struct Rota {
  Weekday first{1};
  std::optional<Weekday> last;
};

}  // namespace weft_test

template <>
struct weft::FieldConversion<weft_test::Weekday> {
  static Type accepts() { return Type::string(); }
  static std::string fault(const Node& day) {
    return day.as_string().starts_with("day") ? "" : "\"" + day.as_string() + "\" is no day";
  }
  static weft_test::Weekday from_node(const Node& day) { return {day.as_string().back() - '0'}; }
  static Node to_node(const weft_test::Weekday& day) { return "day" + std::to_string(day.number); }
};

namespace weft_test {

template <class V>
void fields(V& v, Rota& c) {
  v("first", c.first, "the first day");
  v("last", c.last, "the last one; null: none");
}

namespace {

std::optional<Rota> read(const std::string& lines, weft::Problems& problems) {
  const weft::Config config = weft::read_cfg("[rota]\n" + lines, "test.cfg", problems);
  return weft::resolve_section<Rota>(config, "rota", weft::Catalogue(), problems);
}

TEST(FieldConversion, ValuesAreReadAsTheirType) {
  weft::Problems problems;
  const auto rota = read("last = \"day5\"\n", problems);
  ASSERT_TRUE(rota);
  EXPECT_EQ(rota->first.number, 1);
  EXPECT_EQ(rota->last->number, 5);
  EXPECT_FALSE(read("last = null\n", problems)->last);
  EXPECT_TRUE(problems.empty());
}

TEST(FieldConversion, AFaultIsToldWithItsPlace) {
  weft::Problems problems;
  EXPECT_FALSE(read("first = \"noon\"\nlast = \"night\"\n", problems));
  ASSERT_EQ(problems.size(), 2u);
  EXPECT_EQ(problems[0].str(), "test.cfg:2:9  [rota] first: \"noon\" is no day");
  EXPECT_EQ(problems[1].path, "rota.last");
  EXPECT_EQ(problems[1].reason, weft::Reason::range);
}

TEST(FieldConversion, WhatDoesNotFitTheTypeIsNotLookedAt) {
  weft::Problems problems;
  EXPECT_FALSE(read("first = 3\n", problems));
  ASSERT_EQ(problems.size(), 1u);
  EXPECT_EQ(problems[0].reason, weft::Reason::type);
}

TEST(FieldConversion, TheDefaultIsWrittenAsAConfigSaysIt) {
  const weft::Signature signature = weft::signature_of<Rota>();
  EXPECT_EQ(signature.find("first")->default_value->as_string(), "day1");
  EXPECT_TRUE(signature.find("last")->default_value->is_null());
  EXPECT_EQ(signature.find("last")->type.str(), "string or null");
}

}  // namespace
}  // namespace weft_test
