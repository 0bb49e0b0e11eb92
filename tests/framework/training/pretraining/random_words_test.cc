#include "framework/training/pretraining/random_words.h"

#include <filesystem>
#include <map>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "framework/io/atomic_file.h"
#include "framework/text/example.h"
#include "framework/training/example_streams.h"
#include "registry/base/error.h"

namespace weft {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

ExampleStreamPtr texts(const std::vector<std::vector<std::string>>& texts) {
  auto vocab = std::make_shared<Vocab>("en");
  return stream_of([vocab, texts, next = std::size_t{0}]() mutable -> ExamplePtr {
    if (next == texts.size()) return nullptr;
    return std::make_shared<Example>(
        Example::from_reference(Doc::from_words(vocab, texts[next++])));
  });
}

TEST(RandomWordsTest, ASmallTextIsTakenWhole) {
  const auto stream = texts({{"a", "b", "a"}, {"c"}});
  const RandomWords words = RandomWords::of_text(*stream, 1);
  ASSERT_EQ(words.size(), 4U);
  std::map<std::string, int> counts;
  for (int i = 0; i < 400; ++i) ++counts[words.at(i / 400.0)];
  EXPECT_EQ(counts["a"], 200);
  EXPECT_EQ(counts["b"], 100);
  EXPECT_EQ(counts["c"], 100);
  EXPECT_EQ(words.at(0.999999), "c");
}

// Every part of a long text is as likely as the others.
TEST(RandomWordsTest, ALongTextIsSampled) {
  std::vector<std::vector<std::string>> lines;
  for (int line = 0; line < 400; ++line) {
    lines.emplace_back(std::vector<std::string>(100, line < 200 ? "first" : "second"));
  }
  const auto stream = texts(lines);
  const RandomWords words = RandomWords::of_text(*stream, 7);
  ASSERT_EQ(words.size(), RandomWords::kMost);
  int first = 0;
  for (int i = 0; i < 10'000; ++i) first += words.at(i / 10'000.0) == "first" ? 1 : 0;
  EXPECT_NEAR(first, 5000, 250);
}

TEST(RandomWordsTest, TheSeedDecides) {
  std::vector<std::vector<std::string>> lines;
  for (int line = 0; line < 200; ++line) {
    std::vector<std::string> words;
    for (int i = 0; i < 100; ++i) words.push_back(std::to_string(line * 100 + i));
    lines.push_back(words);
  }
  const auto sample = [&](std::uint64_t seed) {
    const auto stream = texts(lines);
    return RandomWords::of_text(*stream, seed).at(0.5);
  };
  EXPECT_EQ(sample(3), sample(3));
  EXPECT_NE(sample(3), sample(4));
}

TEST(RandomWordsTest, WithoutWordsThereAreNone) {
  const auto stream = texts({});
  EXPECT_THROW(RandomWords::of_text(*stream, 1), Error);
}

class RandomWordsOfFile : public testing::Test {
 protected:
  void TearDown() override { fs::remove(file_); }
  RandomWords read(const std::string& text) {
    write_file(file_, text);
    return RandomWords::of_vocab_data(file_);
  }
  std::string failure(const std::string& text) {
    try {
      read(text);
    } catch (const Error& error) {
      return error.what();
    }
    return "it is read";
  }
  fs::path file_ =
      fs::path(testing::TempDir()) / ("random_words" + std::to_string(::getpid()) + ".jsonl");
};

TEST_F(RandomWordsOfFile, ChancesFollowTheProbabilities) {
  const RandomWords words = read(
      "{\"lang\": \"en\", \"settings\": {}}\n{\"orth\": \"often\", \"prob\": -1.0}\n"
      "{\"orth\": \"never\", \"prob\": 0}\n{\"orth\": \"rare\", \"prob\": -3.1972245773362196}\n");
  EXPECT_EQ(words.size(), 2U);  // the second is e^-2.197... = 1/9 as likely
  EXPECT_EQ(words.at(0.89), "often");
  EXPECT_EQ(words.at(0.91), "rare");
}

TEST_F(RandomWordsOfFile, FaultsHaveTheirLine) {
  EXPECT_THAT(failure("{\"orth\": \"a\", \"prob\": -1}\n[]\n"), HasSubstr(".jsonl:2"));
  EXPECT_THAT(failure("{\"orth\": \"a\", \"prob\": \"x\"}\n"), HasSubstr("\"prob\" is no number"));
  EXPECT_THAT(failure("{\"orth\": \"a\", \"prob\": 1000}\n"), HasSubstr("logarithm of a share"));
  EXPECT_THAT(failure("{\"orth\": \"a\", \"prob\": 99999999999999999999}\n"),
              HasSubstr("logarithm of a share"));
  EXPECT_THAT(failure("{\"orth\": \"a\"}\n"), HasSubstr("no word has a \"prob\""));
}

}  // namespace
}  // namespace weft
