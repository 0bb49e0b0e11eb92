// Tokenizer files and texts that were made to take time or memory: by the square of the text's
// length, by powers of two, by the size of what the file asks for. Each is cut within the bounds or
// refused with a message.
#include <functional>

#include <gtest/gtest.h>

#include "components/builtin.h"
#include "framework/io/atomic_file.h"
#include "framework/pipeline/build_pipeline.h"
#include "framework/pipeline/load_config.h"
#include "framework/text/tokenizer_file.h"
#include "framework/unicode/unicode.h"
#include "registry/reading/cfg_reader.h"
#include "tests/tools/hostile/hostile_run.h"
#include "tests/tools/program.h"

namespace weft::testing_tools {
namespace {

namespace fs = std::filesystem;

std::string repeated(std::string_view part, std::size_t times) {
  std::string text;
  text.reserve(part.size() * times);
  for (std::size_t i = 0; i < times; ++i) text += part;
  return text;
}

SpecialCase one_token(const std::string& text) {
  return {text, {{text, {}}}};
}

struct Input {
  std::string name;
  TokenizerRules rules;
  std::string text;
};

// So that the time of long texts is measured and not their number of tokens.
const std::vector<std::string> kMoreMemory = {"WEFT_READ_MIB=2048"};

// A pipeline without components; its tokenizer file is replaced for each input.
class TokenizerTimeTest : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fresh_folder();
    Catalogue catalogue;
    add_builtin(catalogue);
    Problems problems;
    const Config config = read_cfg("[nlp]\nlang = \"xx\"\npipeline = []\n", "test.cfg", problems,
                                   {.interpolate = false});
    const Config filled = fill_pipeline_config(config, catalogue, problems);
    ASSERT_FALSE(has_errors(problems));
    build_pipeline(filled, catalogue)->to_disk(folder_ / "nlp");
  }

  // Documents are written to a file, so that long texts are no flood of output.
  HostileRun apply(const Input& input) {
    write_file(folder_ / "nlp/tokenizer", write_tokenizer_rules(input.rules));
    write_file(folder_ / "in.txt", input.text + "\n");
    return run_hostile(input.name, {"apply", "nlp", "in.txt", "--output", "out.jsonl"}, folder_,
                       kMoreMemory);
  }
  void expect_cut(const Input& input) {
    const HostileRun run = apply(input);
    expect_ended_well(run);
    EXPECT_EQ(run.code, 0) << run.name << '\n' << run.err;
  }
  void expect_given_up(const Input& input, const std::string& words) {
    const HostileRun run = apply(input);
    expect_refused(run, words);
    EXPECT_EQ(run.code, 3) << run.name;
    EXPECT_LT(run.err.size(), 2000U) << run.name;
    EXPECT_FALSE(fs::exists(folder_ / "out.jsonl")) << run.name;
  }

  fs::path folder_;
};

TokenizerRules with(std::optional<std::string> TokenizerRules::*pattern, std::string source) {
  TokenizerRules rules;
  rules.*pattern = std::move(source);
  return rules;
}

// Each would take minutes or more; the size is what a file of a few hundred kilobytes can hold.
TEST_F(TokenizerTimeTest, PatternsThatTakeTimeByTheSquareAreGivenUp) {
  TokenizerRules both = with(&TokenizerRules::suffix_search, "\\)$");
  both.token_match = "\\)+(?<!\\))";
  TokenizerRules anywhere = with(&TokenizerRules::suffix_search, "\\)$");
  anywhere.prefix_search = "x|y";
  const std::string brackets(400'000, '('), closing(400'000, ')');
  const std::string letters = std::string(400'000, 'a') + "-9";
  const std::vector<Input> inputs = {
      {"a look-ahead of a prefix", with(&TokenizerRules::prefix_search, "^\\((?=.*x)"),
       brackets + "x"},
      {"a look-ahead that fails", with(&TokenizerRules::prefix_search, "^\\((?!.*x)"), brackets},
      {"a prefix that is not anchored", anywhere, closing},
      {"a suffix that walks back", with(&TokenizerRules::suffix_search, "[a-z)]+x$|\\)$"), closing},
      {"a suffix that is not anchored", with(&TokenizerRules::suffix_search, "\\)\\b|\\)(?=x*$)"),
       closing},
      {"a wide window", with(&TokenizerRules::suffix_search, "\\){60000}x$|\\)$"), closing},
      {"tokens asked for each time", both, closing},
      {"infixes without end", with(&TokenizerRules::infix_finditer, "[a-z]+[0-9]"), letters},
      {"counted infixes", with(&TokenizerRules::infix_finditer, "[a-z]{1,60000}[0-9]"), letters},
      {"infixes that are long words",
       with(&TokenizerRules::infix_finditer, std::string(20'000, 'a') + "b"), letters},
      {"infixes that look ahead", with(&TokenizerRules::infix_finditer, "a(?=.*x)"), letters},
  };
  for (const Input& input : inputs) expect_given_up(input, "pattern gives up on a piece");
}

TEST_F(TokenizerTimeTest, PatternsThatTakeTimeByPowersOfTwoAreGivenUp) {
  const std::string nested = "(?:a+)+(?:a+)+b";
  const std::string choice = "(?:a|a)+c";
  const std::string text(60, 'a');
  for (const std::string& source : {nested, choice}) {
    for (const auto pattern : {&TokenizerRules::infix_finditer, &TokenizerRules::token_match,
                               &TokenizerRules::url_match, &TokenizerRules::prefix_search}) {
      TokenizerRules rules = with(pattern, source + "|-");
      rules.infix_finditer = rules.infix_finditer.value_or("-");
      expect_given_up({source, rules, text + "1bc-"}, "pattern gives up on a piece");
    }
  }
}

// 21 letters take two million steps, and there are thousands of such tokens: in one text they are
// given up together.
TEST_F(TokenizerTimeTest, TokensJustBelowTheLimitAreGivenUpTogether) {
  std::string text;
  for (int i = 0; i < 5000; ++i) text += std::string(21, 'a') + std::to_string(i) + "c ";
  for (const char* source : {"(?:a|a)+c|-", "(?:(?:a|a)(?:a|a)(?:a|a)){6,7}c|-"}) {
    TokenizerRules rules = with(&TokenizerRules::infix_finditer, source);
    expect_given_up({source, rules, text}, "million steps in a text");
    rules = with(&TokenizerRules::token_match, source);
    rules.infix_finditer = "[0-9]";
    expect_given_up({source, rules, text}, "million steps in a text");
  }
}

std::vector<SpecialCase> nested_cases(int count) {
  std::vector<SpecialCase> cases;
  for (int length = 1; length <= count; ++length) {
    std::vector<SpecialToken> tokens;
    for (int i = 0; i < length; ++i) tokens.push_back({i == 0 ? "a" : " a", {}});
    cases.push_back({"a" + repeated(" a", static_cast<std::size_t>(length - 1)), tokens});
  }
  return cases;
}

TEST_F(TokenizerTimeTest, SpecialCasesTakeTimeByTheirLength) {
  std::vector<Input> inputs;
  TokenizerRules nested = with(&TokenizerRules::infix_finditer, "-");
  nested.special_cases = nested_cases(500);
  inputs.push_back({"nested special cases", nested, repeated("a ", 300'000)});
  nested.special_cases = nested_cases(1000);
  inputs.push_back({"twice as many", nested, repeated("a ", 600'000)});

  TokenizerRules many = with(&TokenizerRules::infix_finditer, "-");
  for (int i = 0; i < 100'000; ++i) {
    many.special_cases.push_back(one_token("w" + std::to_string(i) + "-x"));
  }
  inputs.push_back({"100,000 special cases", many, repeated("w77-x w99999-y ", 20'000)});

  TokenizerRules brackets = with(&TokenizerRules::prefix_search, "^\\(");
  for (int i = 0; i < 60'000; ++i) {
    brackets.special_cases.push_back(one_token("(" + std::to_string(i) + "("));
  }
  brackets.special_cases.push_back(one_token(std::string(500'000, '(')));
  inputs.push_back({"a long special case", brackets, std::string(499'999, '(')});
  brackets.faster_heuristics = false;
  inputs.push_back({"the same looked for everywhere", brackets, std::string(500'001, '(')});
  for (const Input& input : inputs) expect_cut(input);
}

TEST_F(TokenizerTimeTest, TokenizerFilesThatAskForTooMuchAreRefused) {
  TokenizerRules empty;
  empty.special_cases = {{"a", {{"a", {}}}}};
  for (int i = 0; i < 100'000; ++i) empty.special_cases[0].tokens.push_back({"", {}});
  expect_given_up({"tokens out of nothing", empty, repeated("a ", 100'000)}, "without text");

  TokenizerRules tokens = with(&TokenizerRules::prefix_search, "^\\(");
  tokens.special_cases = {one_token(std::string(3'000'000, '('))};
  expect_given_up({"a special case of millions of tokens", tokens, "a"}, "docs/limits.md");

  TokenizerRules large;
  for (int i = 0; i < 17; ++i) {
    large.special_cases.push_back(one_token(std::string(1'000'000, static_cast<char>('a' + i))));
  }
  expect_given_up({"a large file", large, "a"}, "more than 16777216");
  for (const char* part : {"a", "\\W", "(?:\\w|", "[^\\w]|"}) {
    const std::string source = repeated(part, 3'000'000 / std::string_view(part).size());
    expect_given_up({part, with(&TokenizerRules::infix_finditer, source), "a"}, "bytes together");
  }
}

// They are read and compiled, or refused as too large.
TEST_F(TokenizerTimeTest, LongPatternsTakeTimeByTheirLength) {
  std::string different;
  for (char32_t c = 0x10000; c < 0x10000 + 400'000; c += 2)
    append_utf8(different, c), different += '|';
  std::vector<std::string> sources = {different + "x",
                                      repeated("\\W", 900'000),
                                      repeated("a|", 900'000) + "x",
                                      "[" + different + "]",
                                      "(?i)" + repeated("\\w|", 300'000) + "x",
                                      repeated("(?:", 199) + repeated(")", 199),
                                      repeated("(?:a{1,50}", 4) + repeated("){1,50}", 4)};
  // Each as one of the two that are compiled in one piece and in several.
  for (std::size_t i = 0; i < sources.size(); ++i) {
    const auto pattern =
        i % 2 == 0 ? &TokenizerRules::infix_finditer : &TokenizerRules::token_match;
    TokenizerRules rules = with(pattern, sources[i]);
    rules.infix_finditer = rules.infix_finditer.value_or("-");
    expect_ended_well(apply({"long pattern " + std::to_string(i), rules, "ab-c \xF0\x90\x80\x80"}));
  }
}

// With the rules of languages: half a megabyte each, without a space.
TEST_F(TokenizerTimeTest, LongTokensAreCutByTheLanguages) {
  const std::vector<std::string> parts = {"(",
                                          ")",
                                          "...",
                                          "a-",
                                          "http://a.b/",
                                          "a.",
                                          "\xCC\x81",
                                          "\xE2\x80\xA6",
                                          "'",
                                          "1,",
                                          "\xF0\x9F\x98\x80",
                                          "x"};
  for (std::size_t i = 0; i < parts.size(); ++i) {
    write_file(folder_ / "in.txt", repeated(parts[i], 500'000 / parts[i].size()) + "\n");
    const HostileRun run = run_hostile(
        parts[i], {"convert", "in.txt", "out.jsonl", "--lang", i % 2 == 0 ? "en" : "fr"}, folder_,
        kMoreMemory);
    expect_ended_well(run);
    EXPECT_EQ(run.code, 0) << run.err;
  }
}

TEST_F(TokenizerTimeTest, MessagesNameTheLine) {
  write_file(folder_ / "nlp/tokenizer",
             write_tokenizer_rules(with(&TokenizerRules::infix_finditer, "(?:a+)+b|-")));
  write_file(folder_ / "in.txt", "fine\n" + std::string(60, 'a') + "-b\n");
  expect_refused(run_hostile("tokenize", {"tokenize", "nlp", "in.txt"}, folder_), "in.txt:2");
}

}  // namespace
}  // namespace weft::testing_tools
