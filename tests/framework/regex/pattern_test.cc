#include "framework/regex/pattern.h"

#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "registry/base/error.h"

namespace weft {
namespace {

// "begin-end" of the first match, "" for none.
std::string found(const std::string& pattern, const std::string& text,
                  Pattern::Use use = Pattern::Use::search) {
  MatchScratch scratch;
  const auto match = Pattern("the pattern", pattern, use).find(scratch, text);
  return match ? std::to_string(match->begin) + "-" + std::to_string(match->end) : "";
}

std::string error_of(const std::string& pattern) {
  try {
    Pattern("the prefix pattern", pattern, Pattern::Use::search);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(Pattern, ReadsPythonsEscapes) {
  EXPECT_EQ(found("\\u00e9+", "x\u00e9\u00e9"), "1-5");
  EXPECT_EQ(found("\\U0001F600", "a\U0001F600"), "1-5");
  EXPECT_EQ(found("\\x41\\101", "AA"), "0-2");
  EXPECT_EQ(found("[[a]\\]", "[]"), "0-2");
  EXPECT_EQ(found("[]a]", "]"), "0-1");
  EXPECT_EQ(found("a{,2}b", "aab"), "0-3");
  EXPECT_EQ(found("a{,x}", "a{,x}"), "0-5");
  EXPECT_EQ(found("(?P<quote>['\"])a(?P=quote)", "'a' "), "0-3");
}

TEST(Pattern, TakesPythonsClasses) {
  EXPECT_EQ(found("\\s", "a\x1c"), "1-2");     // a space to Python alone
  EXPECT_EQ(found("\\s", "\u180e"), "");       // a space to PCRE2 alone
  EXPECT_EQ(found("\\w+", "e\u0301"), "0-1");  // marks are no part of words
  EXPECT_EQ(found("[^\\W\\d]", "1a"), "1-2");
  EXPECT_EQ(found("\\bb", "ab b"), "3-4");
  EXPECT_EQ(found("\\Bb", "ab b"), "1-2");
}

TEST(Pattern, AnEmptyTextHasNoBoundaryOfEitherKind) {
  EXPECT_EQ(found("\\B", ""), "");
  EXPECT_EQ(found("\\b", ""), "");
  EXPECT_EQ(found("a?\\B", ""), "");
  EXPECT_EQ(found("\\B", "-"), "0-0");
}

TEST(Pattern, SkipsPythonsBlanksOfAVerbosePattern) {
  EXPECT_EQ(found("(?x) a\t\n\v\f\r b", "ab"), "0-2");
  EXPECT_EQ(found("(?x)a\x1c"
                  "b",
                  "a\x1c"
                  "b"),
            "0-3");
  EXPECT_EQ(found("(?x)a\x1c"
                  "b",
                  "ab"),
            "");
}

TEST(Pattern, GivesBackBeforeAGroupThatDoesNot) {
  EXPECT_EQ(found("a*(?:bc)?+ab", "ab"), "0-2");
  EXPECT_EQ(found("\\w+(?:\\.\\w+)?+r", "foo.bar"), "4-7");
  EXPECT_EQ(found("\\d*(?:km)?+0", "10km"), "0-2");
  EXPECT_EQ(found("[ab]*(?>(?:xy)?)b", "ab"), "0-2");
  EXPECT_EQ(found("a*+a", "aa"), "");
}

TEST(Pattern, StartsLinesAsPython) {
  EXPECT_EQ(found("(?m)^$", "10\n"), "3-3");
  EXPECT_EQ(found("(?m)\\n^", "\n"), "0-1");
  EXPECT_EQ(found("(?m)^b", "a\nb"), "2-3");
  EXPECT_EQ(found("^b", "a\nb"), "");
}

TEST(Pattern, RepeatsTheItemBeforeAComment) {
  EXPECT_EQ(found("o(?#two){2}", "ooo"), "0-2");
  EXPECT_EQ(found("(?x)o (?#some) +", "ooo"), "0-3");
  EXPECT_EQ(found("(?#none)o", "o"), "0-1");
}

TEST(Pattern, FoldsCaseAsPython) {
  EXPECT_EQ(found("(?i)^[^\\W\\d_]+$", "\u03b9\u0399"), "0-4");
  EXPECT_EQ(found("(?i)\\W", "\u03b9"), "");
  EXPECT_EQ(found("(?i)\\W", "\u0345"), "0-2");

  EXPECT_EQ(found("(?i)i", "\u0130"), "0-2");
  EXPECT_EQ(found("(?i)[a-z]", "\u0131"), "0-2");
  EXPECT_EQ(found("(?i)STRASSE", "strasse"), "0-7");
  EXPECT_EQ(found("a(?i:b)c", "aBc"), "0-3");
  EXPECT_EQ(found("a(?i:b)c", "aBC"), "");
}

TEST(Pattern, MatchesAtTheStartOnlyWhereAsked) {
  EXPECT_EQ(found("b", "ab", Pattern::Use::match), "");
  EXPECT_EQ(found("a|b", "bx", Pattern::Use::match), "0-1");
}

TEST(Pattern, HidesNothingBeforeTheOffset) {
  MatchScratch scratch;
  const Pattern pattern("p", "(?<=1)km", Pattern::Use::search);
  EXPECT_TRUE(pattern.find(scratch, "1km", 1));
  EXPECT_FALSE(pattern.find(scratch, std::string_view("1km").substr(1)));
}

TEST(Pattern, SkipsAnEmptyMatchWhereTold) {
  MatchScratch scratch;
  const Pattern pattern("p", "x*", Pattern::Use::search);
  EXPECT_EQ(pattern.find(scratch, "ab", 0, true)->begin, 1U);
}

TEST(Pattern, NamesThePatternThatIsWrong) {
  EXPECT_EQ(error_of("(a"),
            "the prefix pattern: a parenthesis is not closed (at character 3 of the pattern)");
  for (const char* wrong : {"a)",
                            "[a",
                            "*a",
                            "a**",
                            "(?P<n>a)(?P<n>b)",
                            "\\1",
                            "[b-a]",
                            "\\q",
                            "a{3,2}",
                            "(?z)",
                            "(?P=x)",
                            "\xff",
                            "(?<=a*)b",
                            "^*",
                            "\\A{0}",
                            "$?",
                            "\\b{1,}",
                            "(?i)\\Z+",
                            "{1}",
                            "a|{,}",
                            "(a|\\1b)+",
                            "(?P<x>a(?P=x))",
                            "(?<=ab|c)d",
                            "(?<=(a)\\1)b",
                            "(?<!a?)b",
                            "(a?)(?<=\\1)b",
                            "(?P<1>x)",
                            "(?P<a-b>x)",
                            "(?im-i:a)",
                            "(?i-:a)",
                            "(?-u:a)",
                            "a{1,2}(?#note){2}"}) {
    EXPECT_NE(error_of(wrong).find("the prefix pattern"), std::string::npos) << wrong;
  }
}

TEST(Pattern, TakesAllThatPythonTakes) {
  for (const char* right : {"(?:^)*a", "(^)*a", "(?=a)*a", "(?<=ab|cd)d", "(a)(?<=\\1)b",
                            "(?<=(?:a|b){2})c", "(?P<a_1>x)(?P<\u00e4>y)", "(?i-m:a)", "(?-i:a)",
                            "a{}", "{a}", "{,x}", "(a)\\1", "(?<=^)a", "(?<=\\b)a"}) {
    EXPECT_EQ(error_of(right), "") << right;
  }
}

// How often a pattern can be searched for in `text` before the steps of one text are used up, 1000
// at most, and what it says then.
int finds_before_the_limit(const Pattern& pattern, const std::string& text, std::string& message) {
  MatchScratch scratch;
  scratch.begin_text(text.size());
  for (int i = 0; i < 1000; ++i) {
    try {
      pattern.find(scratch, text);
    } catch (const Error& error) {
      message = error.what();
      return i;
    }
  }
  return 1000;
}

TEST(Pattern, GivesUpAtItsLimitAndSaysWhich) {
  const Pattern pattern("the url_match pattern", "(?:a+)+(?:a+)+(?:a+)+$", Pattern::Use::match);
  std::string message;
  EXPECT_EQ(finds_before_the_limit(pattern, std::string(400, 'a') + "b", message), 0);
  EXPECT_NE(message.find("the url_match pattern gives up on a piece of 401 bytes"), message.npos);
  EXPECT_NE(message.find("100 million steps"), message.npos) << message;
}

// Each match alone stays far below the limit.
TEST(Pattern, TheStepsAreThoseOfAWholeText) {
  const std::string text = std::string(18, 'a') + "bc";
  const std::string bounded = std::string("(?:a|a)(?:a|a)(?:a|a)(?:a|a)(?:a|a)(?:a|a)") +
                              "(?:a|a)(?:a|a)(?:a|a)(?:a|a)(?:a|a)(?:a|a)(?:a|a)(?:a|a)c";
  for (const std::string& source : {std::string("(?:a|a)+c"), bounded}) {
    const Pattern pattern("the infix_finditer pattern", source, Pattern::Use::search);
    std::string message;
    const int finds = finds_before_the_limit(pattern, text, message);
    EXPECT_GT(finds, 2) << source;
    EXPECT_LT(finds, 900) << source;
    if (source == bounded) continue;
    MatchScratch scratch;
    EXPECT_THROW(while (true) pattern.find(scratch, text), Error);
    scratch.begin_text(text.size());
    EXPECT_FALSE(pattern.find(scratch, text)) << "each text has steps of its own";
  }
}

TEST(Pattern, CountsHowFarRepetitionsWalk) {
  const std::string run(40'000, 'a');
  const Pattern ahead("p", "^a(?=[a-z]*)", Pattern::Use::search);
  std::string message;
  EXPECT_EQ(finds_before_the_limit(ahead, run, message), 1000);
  const Pattern infix("p", "[a-z]+[0-9]", Pattern::Use::search);
  EXPECT_LT(finds_before_the_limit(infix, run, message), 10);
  const Pattern counted("p", "[a-z]{1,30000}[0-9]", Pattern::Use::search);
  EXPECT_LT(finds_before_the_limit(counted, run, message), 5);
}

std::string three_bytes(char32_t c) {
  std::string bytes;
  for (const char32_t byte : {0xE0 | (c >> 12), 0x80 | (c >> 6 & 0x3F), 0x80 | (c & 0x3F)}) {
    bytes += static_cast<char>(byte);
  }
  return bytes;
}

// Pairs of characters from U+4E00 on, with a gap behind each: PCRE2 looks through them range by
// range.
std::string wide_class(int ranges) {
  std::string members;
  for (int i = 0; i < ranges; ++i) {
    const char32_t first = 0x4E00 + 4 * static_cast<char32_t>(i);
    members += three_bytes(first) + "-" + three_bytes(first + 1);
  }
  return "[" + members + "]";
}

std::string repeated(std::string_view piece, int times) {
  std::string text;
  for (int i = 0; i < times; ++i) text += piece;
  return text;
}

// A class of 4,000 ranges takes microseconds where a step takes some nanoseconds.
TEST(Pattern, CountsHowWideAClassIs) {
  const std::string run = repeated("\xE4\xB8\x80", 1000) + "qz";  // U+4E00
  for (const std::string& tail : {std::string("*z"), std::string("+z"), std::string("{1500}")}) {
    std::string message;
    const Pattern narrow("p", wide_class(20) + tail, Pattern::Use::search);
    EXPECT_GT(finds_before_the_limit(narrow, run, message), 40) << tail;
    const Pattern wide("p", wide_class(2500) + tail, Pattern::Use::search);
    EXPECT_LT(finds_before_the_limit(wide, run, message), 20) << tail;
    const Pattern widest("p", wide_class(8000) + tail, Pattern::Use::search);  // not counted
    EXPECT_LT(finds_before_the_limit(widest, run, message), 20) << tail;
  }
}

TEST(Pattern, CountsWhatABackReferenceCompares) {
  const std::string text = std::string(8000, 'a') + "b" + std::string(4000, 'a') + "c";
  for (const std::string& flag : {std::string(), std::string("(?i)")}) {
    const Pattern pattern("p", flag + "(a+b)(?:" + repeated("\\1|", 400) + "\\1)",
                          Pattern::Use::search);
    std::string message;
    EXPECT_EQ(finds_before_the_limit(pattern, text, message), 0);
  }
}

// Numbers of groups would not be those of the whole any more.
TEST(Pattern, AnAlternationWithBackReferencesIsNotCut) {
  std::string words;
  for (int i = 0; i < 9000; ++i) words += "word" + std::to_string(i) + "$|";
  EXPECT_EQ(found("(q)!r\\1$|" + words.substr(0, 900) + "x|(s)!t\\2$", "s!ts", Pattern::Use::match),
            "0-4");
  try {
    const Pattern pattern("p", "(q)!r\\1$|" + words + "(s)!t\\2$", Pattern::Use::match);
    MatchScratch scratch;
    pattern.find(scratch, "s!ts");
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "p is too large a pattern: its compiled code may have 64 KiB");
  }
}

// Too large to be compiled once more with a call-out before each item.
TEST(Pattern, LimitsLargePatternsToo) {
  std::string source = "(?:a|a)+(?:";
  for (int i = 0; i < 3000; ++i) source += "x" + std::to_string(i) + "|";
  const Pattern pattern("p", source + "y)", Pattern::Use::search);
  std::string message;
  EXPECT_LT(finds_before_the_limit(pattern, std::string(25, 'a'), message), 100);
  MatchScratch scratch;
  EXPECT_EQ(pattern.find(scratch, "aax77")->end, 4U);
}

TEST(Pattern, TakesTextsThatOverflowTheJitStack) {
  std::string text;
  for (int i = 0; i < 300000; ++i) text += "a.";
  EXPECT_EQ(found("(?:(?:[a-z]x?)+\\.)+$", text, Pattern::Use::match), "0-600000");
}

// A pattern is interpreted at first and machine code later: both find the same.
TEST(Pattern, FindsTheSameHoweverOftenItIsUsed) {
  MatchScratch scratch;
  const Pattern pattern("the pattern", "(?<=[a-zü])(?:-|\\.{2,})(?=[A-Z])|\\d+$",
                        Pattern::Use::search);
  for (int round = 0; round < 300; ++round) {
    const auto dash = pattern.find(scratch, "fü-R x...Y 12");
    ASSERT_TRUE(dash && dash->begin == 3 && dash->end == 4) << round;
    const auto dots = pattern.find(scratch, "fü-R x...Y 12", 4);
    ASSERT_TRUE(dots && dots->begin == 7 && dots->end == 10) << round;
    ASSERT_FALSE(pattern.find(scratch, "fü-r 12 ")) << round;
  }
}

TEST(Pattern, TakesALongTextAtItsFirstUse) {
  const std::string text(100'000, 'a');
  EXPECT_EQ(found("b|a$", text), "99999-100000");
  EXPECT_EQ(found("(?:a|aa)+b", std::string(30, 'a') + "b"), "0-31");
  EXPECT_EQ(found("(?:a|aa)+c", std::string(30, 'a') + "b"), "");
}

TEST(Pattern, SeveralThreadsUseItFromTheStart) {
  const Pattern pattern("the pattern", "[a-z]+(\\d)\\1", Pattern::Use::search);
  std::vector<std::thread> threads;
  for (int thread = 0; thread < 4; ++thread) {
    threads.emplace_back([&] {
      MatchScratch scratch;
      for (int i = 0; i < 500; ++i) {
        const auto match = pattern.find(scratch, "12 ab34 cd55");
        EXPECT_TRUE(match && match->begin == 8 && match->end == 12);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

TEST(Pattern, SplitsAPatternThatIsTooLargeForOnePiece) {
  std::string pattern;
  for (int i = 0; i < 6000; ++i) pattern += "word" + std::to_string(i) + "[-a]x|";
  EXPECT_EQ(found(pattern + "last", "word5999-x", Pattern::Use::match), "0-10");
  EXPECT_EQ(found(pattern + "last", "other", Pattern::Use::match), "");
}

}  // namespace
}  // namespace weft
