#include "registry/functions/fit.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "registry/value/json.h"

namespace weft {
namespace {

// The value after fitting as JSON, or the first complaint.
std::string fitted(const Type& type, const std::string& json) {
  Node value = *parse_json(json);
  FitReport report;
  if (fit(type, value, report)) return to_json(value);
  return report.errors.empty() ? "refused without a reason" : report.errors[0].message;
}

bool fits(const Type& type, const std::string& json) {
  Node value = *parse_json(json);
  FitReport report;
  return fit(type, value, report);
}

TEST(Fit, Integers) {
  const Type integer = Type::integer(32);
  EXPECT_EQ(fitted(integer, "3"), "3");
  EXPECT_EQ(fitted(integer, "3.0"), "3");
  EXPECT_EQ(fitted(integer, "\"-3\""), "-3");
  for (const char* other :
       {"3.5", "true", "null", "\"3.0\"", "\"0x1\"", "\"\"", "\"-\"", "[3]", "NaN"}) {
    EXPECT_FALSE(fits(integer, other)) << other;
  }
  EXPECT_TRUE(fits(integer, "2147483647"));
  EXPECT_EQ(fitted(integer, "2147483648"), "2147483648 does not fit into 32 bits");
  EXPECT_FALSE(fits(Type::integer(64), "9223372036854775808"));
  EXPECT_EQ(fitted(Type::integer(), "9223372036854775808"), "9223372036854775808");
}

TEST(Fit, AnIntegerThatIsTooLongIsNamedAmongAlternatives) {
  const Type type = Type::optional(Type::integer(32));
  EXPECT_EQ(fitted(type, "1000000000000000000"), "1000000000000000000 does not fit into 32 bits");
  EXPECT_EQ(fitted(type.strict(), "\"10000000000000000000000\""),
            "10000000000000000000000 does not fit into 32 bits");
  EXPECT_EQ(fitted(type.strict(), "\"1\""), "expected integer or null, found a string \"1\"");
  EXPECT_EQ(fitted(type, "\"x\""), "expected integer or null, found a string \"x\"");
}

TEST(Fit, NumbersOfFieldsAreFinite) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const Range finite{.finite = true};
  const Range positive{.min = 0, .min_open = true, .finite = true};
  FitReport report;
  EXPECT_TRUE(check_range(Range(), Node(kInfinity), report));
  EXPECT_TRUE(check_range(finite, Node(-1e300), report));
  EXPECT_FALSE(check_range(finite, Node(std::nan("")), report));
  EXPECT_FALSE(check_range(positive, Node(List{Node(1.0), Node(kInfinity)}), report));
  EXPECT_FALSE(check_range(positive, Node(0), report));
  ASSERT_EQ(report.errors.size(), 3u);
  EXPECT_EQ(report.errors[0].message, "NaN is out of range, it must be finite");
  EXPECT_EQ(report.errors[1].message, "Infinity is out of range, it must be finite and x > 0");
  EXPECT_EQ(report.errors[2].message, "0 is out of range, it must be x > 0");
}

TEST(Fit, Floats) {
  const Type number = Type::floating();
  EXPECT_EQ(fitted(number, "3"), "3.0");
  EXPECT_EQ(fitted(number, "\"1e-3\""), "0.001");
  EXPECT_EQ(fitted(number, "\"-inf\""), "-Infinity");
  EXPECT_EQ(fitted(number, "\"1e999\""), "Infinity");
  for (const char* other : {"true", "\"x\"", "\"1 \"", "\"nan(1)\"", "\"++1\"", "null"}) {
    EXPECT_FALSE(fits(number, other)) << other;
  }
}

TEST(Fit, BooleansAreConvertedWithAWarning) {
  Node value(1);
  FitReport report;
  EXPECT_TRUE(fit(Type::boolean(), value, report));
  EXPECT_TRUE(value.as_bool());
  ASSERT_EQ(report.conversions.size(), 1u);
  EXPECT_EQ(report.conversions[0].message, "an integer 1 is taken as true");
  EXPECT_EQ(fitted(Type::boolean(), "\"false\""), "false");
  for (const char* other : {"2", "\"yes\"", "1.0", "null"}) {
    EXPECT_FALSE(fits(Type::boolean(), other)) << other;
  }
}

TEST(Fit, StrictTypesRefuseConversions) {
  EXPECT_FALSE(fits(Type::integer(32).strict(), "3.0"));
  EXPECT_FALSE(fits(Type::integer(32).strict(), "\"3\""));
  EXPECT_FALSE(fits(Type::floating().strict(), "\"0.5\""));
  EXPECT_TRUE(fits(Type::floating().strict(), "1"));
  EXPECT_FALSE(fits(Type::boolean().strict(), "1"));
  EXPECT_FALSE(fits(Type::list(Type::integer(32)).strict(), "[\"3\"]"));
}

TEST(Fit, UnionsPreferTheBranchThatNeedsNoConversion) {
  EXPECT_EQ(fitted(Type::any_of({Type::integer(32), Type::string()}), "\"7\""), "\"7\"");
  EXPECT_EQ(fitted(Type::any_of({Type::boolean(), Type::floating()}), "1"), "1.0");
  EXPECT_EQ(fitted(Type::optional(Type::integer(32)), "\"7\""), "7");
  EXPECT_EQ(fitted(Type::optional(Type::integer(32)), "\"x\""),
            "expected integer or null, found a string \"x\"");
}

TEST(Fit, ListsSayWhichElement) {
  Node value = *parse_json(R"([1, "x", 2, null])");
  FitReport report;
  EXPECT_FALSE(fit(Type::optional(Type::list(Type::integer(32))), value, report));
  ASSERT_EQ(report.errors.size(), 2u);
  EXPECT_EQ(report.errors[0].where, ".1");
  EXPECT_EQ(report.errors[1].where, ".3");
}

TEST(Fit, TuplesAndDicts) {
  const Type pair = Type::tuple({Type::integer(32), Type::string()});
  EXPECT_TRUE(fits(pair, "[1, \"a\"]"));
  EXPECT_FALSE(fits(pair, "[1]"));
  EXPECT_FALSE(fits(pair, "[\"a\", 1]"));
  const Type dict = Type::dict(Type::list(Type::floating()));
  EXPECT_EQ(fitted(dict, R"({"a": [1]})"), R"({"a": [1.0]})");
  EXPECT_FALSE(fits(dict, R"({"a": ["x"]})"));
}

TEST(Fit, ChoicesCompareAsTheReferenceDoes) {
  const Type choice = Type::choice({Node(1), Node("on"), Node()});
  for (const char* same : {"1", "1.0", "true", "\"on\"", "null"}) EXPECT_TRUE(fits(choice, same));
  for (const char* other : {"2", "\"ON\"", "false"}) EXPECT_FALSE(fits(choice, other));
}

TEST(Fit, BlocksInListsAreDataAndElsewhereTakenOnTrust) {
  const Type product = Type::product({"k", "thing", "thing", false});
  EXPECT_TRUE(fits(product, R"({"@k": "f"})"));
  EXPECT_FALSE(fits(Type::list(product), R"([{"@k": "f"}])"));
}

TEST(Fit, RangesCoverTheNumbersOfLists) {
  FitReport report;
  const Range range{.min = 0, .max = 1, .max_open = true};
  EXPECT_TRUE(check_range(range, Node(0), report));
  EXPECT_FALSE(check_range(range, Node(1.0), report));
  EXPECT_FALSE(check_range(range, Node(List{Node(0.5), Node(-1)}), report));
  EXPECT_EQ(report.errors[0].message, "1.0 is out of range, it must be 0 <= x < 1");
  EXPECT_TRUE(check_range(range, Node("text"), report));
  Object shares;
  shares.set("a", 0.5);
  shares.set("b", List{Node(2.0)});
  FitReport in_section;
  EXPECT_FALSE(check_range(range, Node(shares), in_section));
  ASSERT_EQ(in_section.errors.size(), 1u);
  EXPECT_EQ(in_section.errors[0].where, ".b");
}

}  // namespace
}  // namespace weft
