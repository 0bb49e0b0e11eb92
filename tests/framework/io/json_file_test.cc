#include "framework/io/json_file.h"

#include <filesystem>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "registry/base/error.h"
#include "tests/framework/text/text_file.h"

namespace weft {
namespace {

using ::testing::EndsWith;
namespace fs = std::filesystem;

template <class Read>
std::string error_of(const std::string& text, Read read) {
  const std::string file = file_with("a.json", text);
  try {
    read(file);
    return "";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::data) << error.what();
    EXPECT_TRUE(error.place().name && *error.place().name == file);
    return error.what();
  }
}

TEST(JsonFile, AFaultHasItsPlace) {
  for (const auto read : {+[](const fs::path& from) { read_json_file(from); },
                          +[](const fs::path& from) { read_json_object(from); }}) {
    EXPECT_THAT(error_of("{\"a\": 1,\n \"b\": nil}", read), EndsWith(".json:2:8  no valid JSON"));
    EXPECT_THAT(error_of("", read), EndsWith(".json:1:1  no valid JSON"));
    EXPECT_THAT(error_of(std::string(100'000, '['), read), EndsWith(":1:100001  no valid JSON"));
    EXPECT_THAT(error_of(std::string(100'000, '[') + std::string(100'000, ']'), read),
                EndsWith(".json  JSON that is too deep, or has too many values"));
    EXPECT_THAT(error_of("\xEF\xBB\xBF{}", read),
                EndsWith(".json:1:1  JSON begins without a byte order mark"));
  }
}

TEST(JsonFile, AnObjectIsAskedFor) {
  EXPECT_EQ(read_json_object(file_with("a.json", "{\"a\": [1]}")).find("a")->as_list().size(), 1U);
  EXPECT_EQ(read_json_file(file_with("a.json", "[1]")).as_list().size(), 1U);
  EXPECT_THAT(error_of("[1]", [](const fs::path& from) { read_json_object(from); }),
              EndsWith(".json  not a JSON object"));
}

}  // namespace
}  // namespace weft
