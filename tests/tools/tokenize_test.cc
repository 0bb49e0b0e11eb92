// `weft tokenize`: JSON lines of tokens by the rules of a language.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/tools/program.h"

namespace weft::testing_tools {
namespace {

using testing::HasSubstr;

class TokenizeTest : public testing::Test {
 protected:
  void SetUp() override { folder_ = fresh_folder(); }

  std::string text(const std::string& bytes) const {
    write_text(folder_ / "in.txt", bytes);
    return (folder_ / "in.txt").string();
  }

  std::filesystem::path folder_;
};

TEST_F(TokenizeTest, ALineIsAnObject) {
  const Outcome outcome = run_weft({"tokenize", "--lang", "en", text("It's here.\r\n\nZoë\n")});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(outcome.out,
            "{\"tokens\": [\"It\", \"'s\", \"here\", \".\"], "
            "\"spaces\": [false, true, false, false]}\n"
            "{\"tokens\": [], \"spaces\": []}\n"
            "{\"tokens\": [\"Zo\\u00eb\"], \"spaces\": [false]}\n");
}

TEST_F(TokenizeTest, LanguagesDiffer) {
  const std::string file = text("l'été");
  const Outcome french = run_weft({"tokenize", "--lang", "fr", file});
  EXPECT_THAT(french.out, HasSubstr("[\"l'\","));
  const Outcome english = run_weft({"tokenize", "--lang", "en", file});
  EXPECT_THAT(english.out, HasSubstr("[\"l'"));
  EXPECT_NE(english.out, french.out);
}

TEST_F(TokenizeTest, RecordsAndFoldersAreReadByTheirEndings) {
  const std::filesystem::path corpus = folder_ / "corpus";
  std::filesystem::create_directories(corpus);
  write_text(corpus / "a.jsonl", "{\"text\": \"It's.\", \"id\": 1}\n\n");
  const std::string tokens =
      "{\"tokens\": [\"It\", \"'s\", \".\"], \"spaces\": [false, false, false]}\n";
  const std::string empty = "{\"tokens\": [], \"spaces\": []}\n";
  for (const auto& input : {corpus, corpus / "a.jsonl"}) {
    EXPECT_EQ(run_weft({"tokenize", "--lang", "en", input.string()}).out, tokens + empty) << input;
  }
  write_text(folder_ / "README", "It's.");
  EXPECT_EQ(run_weft({"tokenize", "--lang", "en", (folder_ / "README").string()}).out, tokens);
}

TEST_F(TokenizeTest, BadInputIsNamed) {
  const Outcome invalid = run_weft({"tokenize", "--lang", "en", text("fine\nbad \xff byte\n")});
  EXPECT_EQ(invalid.code, 3);
  EXPECT_THAT(invalid.err, HasSubstr("in.txt:2"));
  const Outcome surrogate = run_weft({"tokenize", "--lang", "en", text("\xed\xa0\x80\n")});
  EXPECT_EQ(surrogate.code, 3) << "a lone surrogate";
  EXPECT_THAT(surrogate.err, HasSubstr("UTF-8"));
  const Outcome unknown = run_weft({"tokenize", "--lang", "xyz", text("a\n")});
  EXPECT_EQ(unknown.code, 0) << "a basic tokenizer stands in, with a note";
  EXPECT_THAT(unknown.err, HasSubstr("xyz"));
  const Outcome nothing = run_weft({"tokenize"});
  EXPECT_EQ(nothing.code, 2);
  EXPECT_THAT(nothing.err, HasSubstr("--lang"));
  EXPECT_NE(run_weft({"tokenize", "--lang", "en", (folder_ / "absent.txt").string()}).code, 0);
}

}  // namespace
}  // namespace weft::testing_tools
