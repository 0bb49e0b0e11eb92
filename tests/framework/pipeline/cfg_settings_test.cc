#include "framework/pipeline/cfg_settings.h"

#include <optional>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "registry/base/error.h"
#include "registry/value/json.h"

namespace weft {
namespace {

using ::testing::HasSubstr;

template <class T>
T taken(const std::string& value, T setting) {
  take_setting(parse_json("{\"key\": " + value + "}")->as_object(), "key", "ner/cfg", setting);
  return setting;
}

double share(const std::string& value) {
  double setting = 0.25;
  take_share(parse_json("{\"key\": " + value + "}")->as_object(), "key", "ner/cfg", setting);
  return setting;
}

template <class Action>
std::string error_of(const Action& action) {
  try {
    action();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::data);
    return error.what();
  }
  return "no error";
}

TEST(CfgSettings, AreTakenByTheirType) {
  EXPECT_FALSE(taken("false", true));
  EXPECT_EQ(taken("\"b\"", std::string("a")), "b");
  EXPECT_EQ(taken("\"b\"", std::optional<std::string>()), "b");
  EXPECT_EQ(taken("7", 5), 7);
  EXPECT_EQ(taken("7", 0.5), 7.0);
  EXPECT_EQ(taken("1e-3", 0.5), 1e-3);
  EXPECT_EQ(share("1"), 1.0);
}

TEST(CfgSettings, OnesThatAreNullOrMissingStay) {
  EXPECT_TRUE(taken("null", true));
  EXPECT_EQ(taken("null", std::string("a")), "a");
  EXPECT_EQ(taken("null", std::optional<std::string>()), std::nullopt);
  EXPECT_EQ(taken("null", std::optional<std::string>("a")), "a");
  EXPECT_EQ(taken("null", 5), 5);
  EXPECT_EQ(share("null"), 0.25);
  int missing = 3;
  take_setting(Object(), "key", "ner/cfg", missing);
  EXPECT_EQ(missing, 3);
}

TEST(CfgSettings, OnesOfAnotherTypeOrRangeAreRefused) {
  for (const char* value : {"\"x\"", "1", "[]", "{}"}) {
    EXPECT_THAT(error_of([&] { taken(value, true); }), HasSubstr("ner/cfg: key is true or false"));
  }
  EXPECT_THAT(error_of([] { taken("5", std::string()); }), HasSubstr("key is a text, found"));
  for (const char* value :
       {"\"x\"", "1.5", "[]", "true", "-1", "2147483648", "1e3", "99999999999999999999999"}) {
    EXPECT_THAT(error_of([&] { taken(value, 1); }), HasSubstr("an integer of 32 bits")) << value;
  }
  for (const char* value : {"\"x\"", "[]", "true", "-0.5", "-3"}) {
    EXPECT_THAT(error_of([&] { taken(value, 1.0); }), HasSubstr("a number that is not negative"));
    EXPECT_THAT(error_of([&] { share(value); }), HasSubstr("a number that is not negative"));
  }
  EXPECT_THAT(error_of([] { share("1.5"); }), HasSubstr("it lies between 0 and 1"));
}

}  // namespace
}  // namespace weft
