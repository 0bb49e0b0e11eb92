#include "framework/io/read_budget.h"

#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "framework/text/conll.h"
#include "framework/text/converter.h"
#include "framework/text/iob_line_reader.h"
#include "framework/text/jsonl_reader.h"
#include "framework/text/spacy_json.h"
#include "registry/base/error.h"
#include "tests/framework/text/text_file.h"

namespace weft {
namespace {

using ::testing::HasSubstr;

constexpr std::uint64_t kMiB = std::uint64_t{1} << 20;

TEST(ReadBudget, GrowsWithTheFileUpToABound) {
  EXPECT_EQ(ReadBudget("f", 0).limit(), 192 * kMiB);
  EXPECT_EQ(ReadBudget("f", 1000).limit(), 192 * kMiB + 256000);
  EXPECT_EQ(ReadBudget("f", 10 * kMiB).limit(), 384 * kMiB);
  EXPECT_EQ(ReadBudget("f", 192 * kMiB).limit(), 384 * kMiB);
  EXPECT_EQ(ReadBudget("f", 1000 * kMiB).limit(), 2000 * kMiB);
  EXPECT_EQ(ReadBudget("f", ~std::uint64_t{0}).limit(), ~std::uint64_t{1});
  EXPECT_EQ(ReadBudget("no such file").limit(), 192 * kMiB);
}

TEST(ReadBudget, SaysWhatIsTooLargeAndWhatRaisesTheLimit) {
  ReadBudget budget("some.spacy", 0);
  budget.charge(192 * kMiB, "the strings");
  budget.charge(0, "nothing");
  try {
    budget.charge(1, "the strings");
    FAIL() << "taken";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::data);
    EXPECT_THAT(error.what(), HasSubstr("some.spacy"));
    EXPECT_THAT(error.what(), HasSubstr("the strings would take more memory than the 192 MiB"));
    EXPECT_THAT(error.what(), HasSubstr("WEFT_READ_MIB"));
  }
  EXPECT_EQ(budget.used(), 192 * kMiB);
  budget.release_to(0);
  budget.charge(1, "the strings");
  EXPECT_THROW(budget.charge(~std::uint64_t{0}, "more than numbers can count"), Error);
}

TEST(ReadBudget, TheEnvironmentSetsAnother) {
  ASSERT_EQ(::setenv("WEFT_READ_MIB", "1", 1), 0);
  EXPECT_EQ(ReadBudget("f", 10 * kMiB).limit(), kMiB);
  ASSERT_EQ(::setenv("WEFT_READ_MIB", "4000", 1), 0);
  EXPECT_EQ(ReadBudget("f", 0).limit(), 4000 * kMiB);
  for (const char* wrong : {"0", "-1", "much", "1G", "99999999999"}) {
    ASSERT_EQ(::setenv("WEFT_READ_MIB", wrong, 1), 0);
    EXPECT_THROW(ReadBudget("f", 0), Error) << wrong;
  }
  ASSERT_EQ(::unsetenv("WEFT_READ_MIB"), 0);
}

// A file of each format with one document of so many tokens.
std::vector<std::string> documents_of(std::size_t tokens) {
  std::string conll, iob, words, json;
  for (std::size_t i = 0; i < tokens; ++i) {
    conll += "a O\n";
    iob += "a|O ";
    words += i == 0 ? "\"a\"" : ",\"a\"";
    json += i == 0 ? R"({"orth":"a"})" : R"(,{"orth":"a"})";
  }
  return {file_with("in.conll", conll), file_with("in.iob", iob + "\n"),
          file_with("words.jsonl", "{\"words\":[" + words + "]}\n"),
          file_with("text.jsonl", "{\"text\":\"" + std::string(6 * tokens, 'a') + "\"}\n"),
          file_with("in.json", R"([{"paragraphs":[{"sentences":[{"tokens":[)" + json + "]}]}]}]")};
}

std::size_t tokens_in(const std::string& file) {
  const auto vocab = std::make_shared<const Vocab>("xx");
  std::size_t tokens = 0;
  const TakeDoc count = [&](const Doc& doc) { tokens += doc.tokens()->size(); };
  const MakeDoc one_word = [&](std::string_view text) { return Doc::from_words(vocab, {text}); };
  if (file.ends_with(".json")) {
    read_spacy_json(file, vocab, count);
  } else if (file.ends_with(".jsonl")) {
    JsonlReader reader(file, vocab, one_word);
    take_all(reader, count);
  } else if (file.ends_with(".iob")) {
    IobLineReader reader(file, vocab);
    take_all(reader, count);
  } else {
    ConllReader reader(file, vocab);
    take_all(reader, count);
  }
  return tokens;
}

TEST(ReadBudget, HoldsForADocumentOfEveryFormat) {
  ASSERT_EQ(::setenv("WEFT_READ_MIB", "1", 1), 0);  // 1365 tokens
  for (const std::string& file : documents_of(1300)) EXPECT_GT(tokens_in(file), 0u) << file;
  for (const std::string& file : documents_of(1400)) EXPECT_THROW(tokens_in(file), Error) << file;
  ASSERT_EQ(::unsetenv("WEFT_READ_MIB"), 0);
  for (const std::string& file : documents_of(1400)) EXPECT_GT(tokens_in(file), 0u) << file;
}

// The budget is for each document, not for all of a file.
TEST(ReadBudget, ManyDocumentsMayTakeMore) {
  ASSERT_EQ(::setenv("WEFT_READ_MIB", "1", 1), 0);
  std::string conll, iob, jsonl, text, json = "[";
  for (int i = 0; i < 3000; ++i) {
    conll += "a O\n\n";
    iob += "a|O\n";
    jsonl += "{\"words\":[\"a\"]}\n";
    text += "{\"text\":\"aaaaaaaa\"}\n";
    json += i == 0 ? "" : ",";
    json += R"({"paragraphs":[{"sentences":[{"tokens":[{"orth":"a"}]}]}]})";
  }
  for (const auto& [name, content] :
       {std::pair("in.conll", conll), std::pair("in.iob", iob), std::pair("words.jsonl", jsonl),
        std::pair("text.jsonl", text), std::pair("in.json", json + "]")}) {
    EXPECT_EQ(tokens_in(file_with(name, content)), 3000u) << name;
  }
  ASSERT_EQ(::unsetenv("WEFT_READ_MIB"), 0);
}

}  // namespace
}  // namespace weft
