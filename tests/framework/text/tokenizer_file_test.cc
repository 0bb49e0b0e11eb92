#include "framework/text/tokenizer_file.h"

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "registry/base/error.h"

namespace weft {
namespace {

using ::testing::HasSubstr;

// {"exceptions": {"ab": [{KEY: "a"}, {65: "b", 67: "x"}]}, "infix_finditer": 7, "other": nil}
std::string file_with(const std::string& key) {
  const std::string special = "\x92\x81" + key +
                              "\xa1"
                              "a" +
                              "\x82\x41\xa1"
                              "b" +
                              "\x43\xa1"
                              "x";
  return "\x83\xaa"
         "exceptions\x81\xa2"
         "ab" +
         special +
         "\xae"
         "infix_finditer\x07\xa5"
         "other\xc0";
}

TEST(TokenizerFile, ReadsSpecialCases) {
  const TokenizerRules rules = read_tokenizer_rules(file_with("\x41"));
  ASSERT_EQ(rules.special_cases.size(), 1U);
  EXPECT_EQ(rules.special_cases[0].text, "ab");
  EXPECT_EQ(rules.special_cases[0].tokens[0].orth, "a");
  EXPECT_EQ(rules.special_cases[0].tokens[1].norm, "x");
  EXPECT_FALSE(rules.infix_finditer);    // a value of another type counts as absent
  EXPECT_TRUE(rules.faster_heuristics);  // absent in older files
}

TEST(TokenizerFile, KeepsTheNamesOfAttributes) {
  const TokenizerRules rules = read_tokenizer_rules(file_with("\xa4orth"));
  const std::string written = write_tokenizer_rules(rules);
  EXPECT_NE(written.find("\xa4orth"), std::string::npos);
  EXPECT_EQ(read_tokenizer_rules(written), rules);
}

TEST(TokenizerFile, RefusesWhatIsNoTokenizer) {
  EXPECT_THROW(read_tokenizer_rules(""), Error);
  EXPECT_THROW(read_tokenizer_rules("\x01"), Error);
  EXPECT_THROW(read_tokenizer_rules(file_with("\x42")), Error);        // LOWER
  EXPECT_THROW(read_tokenizer_rules(file_with("\x41") + "x"), Error);  // more behind it
  EXPECT_THROW(read_tokenizer_rules("\xdf\xff\xff\xff\xff"), Error);   // a length beyond it
  EXPECT_THROW(read_tokenizer_rules("\x81\xdb\xff\xff\xff\xff"
                                    "a"),
               Error);
  EXPECT_THROW(read_tokenizer_rules("\x80"), Error);               // nothing of a tokenizer's
  EXPECT_THROW(read_tokenizer_rules("\x81\xa5nodes\x90"), Error);  // a file of weights
  EXPECT_NO_THROW(read_tokenizer_rules("\x81\xabtoken_match\xc0"));
  const std::string whole = file_with("\x41");
  for (std::size_t size = 0; size < whole.size(); ++size) {
    EXPECT_THROW(read_tokenizer_rules(whole.substr(0, size)), Error) << size;
  }
}

// Each array claims to have as many parts as the file has bytes, and holds the next one: memory for
// all of them would be taken before the first is found to be cut off.
TEST(TokenizerFile, ClaimsAreCheckedBeforeMemoryIsTaken) {
  std::string bytes =
      "\x81\xaa"
      "exceptions";
  for (int i = 0; i < 20; ++i) bytes += std::string("\xdd\x00\x00\xf0\x00", 5);
  bytes.resize(62'000, '\x01');
  try {
    read_tokenizer_rules(bytes);
    ADD_FAILURE() << "taken";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::data);
    EXPECT_THAT(error.what(), HasSubstr("tokenizer file: not valid msgpack (the data ends "));
  }
}

TEST(TokenizerFile, RefusesSpecialCasesThatDoNotAddUp) {
  std::string wrong = file_with("\x41");
  wrong[wrong.find("ab")] = 'x';
  EXPECT_THROW(read_tokenizer_rules(wrong), Error);
}

}  // namespace
}  // namespace weft
