#include "framework/text/text_request.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "registry/base/error.h"

namespace weft {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

Error error_of(std::string_view body) {
  try {
    static_cast<void>(read_text_request(body));
  } catch (const Error& error) {
    return error;
  }
  return {ErrorKind::internal, "nothing was thrown"};
}

TEST(TextRequest, OneTextOrMany) {
  const TextRequest one = read_text_request(R"({"text": "Zo\u00eb"})");
  EXPECT_TRUE(one.is_one);
  EXPECT_THAT(one.texts, ElementsAre("Zoë"));
  const TextRequest many = read_text_request(R"({"texts": ["a", ""]})");
  EXPECT_FALSE(many.is_one);
  EXPECT_THAT(many.texts, ElementsAre("a", ""));
}

TEST(TextRequest, MayBeginWithAByteOrderMark) {
  EXPECT_THAT(read_text_request("\xEF\xBB\xBF{\"text\": \"a\"}").texts, ElementsAre("a"));
}

TEST(TextRequest, SaysWhatIsWrong) {
  EXPECT_THAT(error_of(R"({"texst": []})").what(), HasSubstr("did you mean text or texts?"));
  EXPECT_THAT(error_of(R"({"texts": ["a", 3]})").what(), HasSubstr("texts[1] is no string"));
  EXPECT_THAT(error_of(R"({"text": null})").what(), HasSubstr("text is no string"));
  EXPECT_THAT(error_of(R"({"text": "a", "texts": []})").what(), HasSubstr("both"));
  EXPECT_THAT(error_of("[]").what(), HasSubstr("no object"));
  EXPECT_THAT(error_of("{}").what(), HasSubstr("neither"));
  EXPECT_EQ(error_of("{}").kind(), ErrorKind::data);
}

TEST(TextRequest, AKeyIsThereOnce) {
  EXPECT_THAT(error_of(R"({"text": "a", "text": "b"})").what(),
              HasSubstr("the key 'text' is there twice"));
}

TEST(TextRequest, SaysWhereItIsNoJson) {
  const Error error = error_of("{\n  \"text\": nonsense}");
  EXPECT_THAT(error.what(), HasSubstr("line 2, column 12"));
  EXPECT_EQ(error.place().line, 2);
  EXPECT_EQ(error.place().column, 12);
  EXPECT_THAT(error_of("{\"text\": \"a").what(), HasSubstr("line 1, column 12"));
  EXPECT_THAT(error_of("").what(), HasSubstr("line 1, column 1"));
  EXPECT_THAT(error_of("{\"text\": \"\xFF\"}").what(), HasSubstr("no JSON"));
  EXPECT_THAT(error_of(std::string(2000, '[') + std::string(2000, ']')).what(),
              HasSubstr("too deep"));
}

}  // namespace
}  // namespace weft
