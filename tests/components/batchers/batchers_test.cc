// Batchers against the groups that spaCy 3.8 makes of the same lengths.
#include <cmath>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "framework/text/example.h"
#include "framework/training/batcher.h"
#include "framework/training/schedule.h"
#include "registry/base/error.h"
#include "registry/functions/registration.h"
#include "tests/components/building.h"

namespace weft {
namespace {

using Groups = std::vector<std::vector<int>>;

const std::vector<int> kLengths = {8, 13, 60, 1, 34, 5, 1, 3,  2, 13, 34, 5,  21, 60,
                                   2, 5,  1,  5, 21, 8, 3, 21, 3, 2,  3,  34, 3,  3,
                                   1, 1,  5,  5, 3,  3, 8, 13, 5, 60, 5,  3};

// Examples with these numbers of tokens.
class Lengths final : public ExampleStream {
 public:
  explicit Lengths(const std::vector<int>& lengths) {
    const auto vocab = std::make_shared<Vocab>("en");
    for (const int length : lengths) {
      const std::vector<std::string> words(static_cast<std::size_t>(length), "w");
      examples_.push_back(
          std::make_shared<Example>(Example::from_reference(Doc::from_words(vocab, words))));
      number_[examples_.back().get()] = static_cast<int>(number_.size());
    }
  }
  ExamplePtr next() override { return at_ < examples_.size() ? examples_[at_++] : nullptr; }
  int number(const ExamplePtr& example) const { return number_.at(example.get()); }

 private:
  std::vector<ExamplePtr> examples_;
  std::map<const Example*, int> number_;
  std::size_t at_ = 0;
};

Groups groups(const std::string& block, std::int64_t* sizes_taken = nullptr) {
  const auto batcher = testing::build<BatcherPtr>(block);
  Lengths examples(kLengths);
  std::int64_t taken = 0;
  const BatchStreamPtr stream = batcher->start(examples, taken);
  Groups groups;
  for (auto batch = stream->next(); !batch.empty(); batch = stream->next()) {
    groups.emplace_back();
    for (const ExamplePtr& example : batch) groups.back().push_back(examples.number(example));
  }
  if (sizes_taken != nullptr) *sizes_taken = taken;
  return groups;
}

TEST(BatchByWords, FixedSize) {
  const Groups expected = {{2},
                           {0, 1, 3},
                           {4},
                           {5, 6, 7, 8, 9},
                           {10},
                           {13},
                           {11, 12, 14},
                           {15, 16, 17},
                           {18, 19},
                           {20, 21, 22, 23},
                           {24},
                           {25},
                           {26, 27, 28, 29, 30, 31, 32, 33},
                           {37},
                           {34, 35, 36, 38, 39}};
  EXPECT_EQ(groups("@batchers = \"spacy.batch_by_words.v1\"\nsize = 30\ntolerance = 0.2\n"
                   "discard_oversize = false\n"),
            expected);
}

TEST(BatchByWords, DiscardsOversize) {
  const Groups expected = {{0, 1, 3},
                           {4},
                           {5, 6, 7, 8, 9},
                           {10},
                           {11, 12, 14},
                           {15, 16, 17},
                           {18, 19},
                           {20, 21, 22, 23},
                           {24},
                           {25},
                           {26, 27, 28, 29, 30, 31, 32, 33},
                           {34, 35, 36, 38, 39}};
  EXPECT_EQ(groups("@batchers = \"spacy.batch_by_words.v1\"\nsize = 30\ntolerance = 0.2\n"
                   "discard_oversize = true\n"),
            expected);
}

TEST(BatchByWords, GrowingSize) {
  const Groups expected = {{2},
                           {4},
                           {0},
                           {1, 3, 5, 6},
                           {7, 8, 9},
                           {10, 11},
                           {13},
                           {12, 14, 15, 16},
                           {17, 18, 19},
                           {20, 21, 22, 23, 24},
                           {25, 26, 27, 28, 29},
                           {30, 31, 32, 33, 34, 35, 36},
                           {37, 38, 39}};
  std::int64_t taken = 0;
  EXPECT_EQ(groups("@batchers = \"spacy.batch_by_words.v1\"\ntolerance = 0.5\n"
                   "discard_oversize = false\n[block.size]\n@schedules = \"compounding.v1\"\n"
                   "start = 20\nstop = 50\ncompound = 1.1\n",
                   &taken),
            expected);
  EXPECT_EQ(taken, 11);
}

TEST(Batchers, AListOfSizesBeginsAnewInEachPass) {
  for (const char* name : {"batch_by_words.v1", "batch_by_padded.v1"}) {
    const std::string settings = std::string("@batchers = \"spacy.") + name + "\"\n" +
                                 "discard_oversize = false\nsize = [13, 40, 5, 30, 3]\n" +
                                 (name[9] == 'w' ? "tolerance = 0.2\n" : "buffer = 10\n");
    const auto batcher = testing::build<BatcherPtr>(settings);
    std::int64_t taken = 0;
    std::vector<std::vector<std::size_t>> passes;
    for (int pass = 0; pass < 2; ++pass) {
      Lengths examples(kLengths);
      const BatchStreamPtr stream = batcher->start(examples, taken);
      auto& sizes = passes.emplace_back();
      for (auto batch = stream->next(); !batch.empty(); batch = stream->next()) {
        sizes.push_back(batch.size());
      }
    }
    EXPECT_EQ(passes[0], passes[1]) << name;
  }
}

TEST(BatchByPadded, SortsWithinTheBuffer) {
  const Groups expected = {{13},
                           {2},
                           {10},
                           {4},
                           {12},
                           {0, 1, 9},
                           {3, 5, 6, 7, 8, 11, 14, 15},
                           {25},
                           {21},
                           {18, 19},
                           {16, 17, 20, 22, 23, 24, 26, 27, 28, 29, 30, 31},
                           {37},
                           {35},
                           {32, 33, 34, 36, 38, 39}};
  EXPECT_EQ(groups("@batchers = \"spacy.batch_by_padded.v1\"\nsize = 60\nbuffer = 16\n"
                   "discard_oversize = false\n"),
            expected);
}

TEST(BatchByPadded, DiscardsBatchesOfTheLimitAndMore) {
  const Groups expected = {{10}, {4},  {12},     {0, 1, 9}, {3, 5, 6, 7, 8, 11, 14, 15},
                           {25}, {21}, {18, 19}, {35},      {32, 33, 34, 36, 38, 39}};
  Groups found = groups(
      "@batchers = \"spacy.batch_by_padded.v1\"\nsize = 60\nbuffer = 16\n"
      "discard_oversize = true\n");
  EXPECT_EQ(found, expected);
}

TEST(BatchBySequence, CountsExamples) {
  const Groups found = groups("@batchers = \"spacy.batch_by_sequence.v1\"\nsize = 16\n");
  ASSERT_EQ(found.size(), 3);
  EXPECT_EQ(found[0].size(), 16);
  EXPECT_EQ(found[2], (std::vector<int>{32, 33, 34, 35, 36, 37, 38, 39}));
}

Schedule no_number() {
  return Schedule([](std::int64_t) { return std::nan(""); });
}

// As one of a plugin.
TEST(Batchers, ASizeThatIsNoNumberIsNamed) {
  const Registration schedule{"test.no_number.v1", no_number, "never a number"};
  Catalogue catalogue;
  add_builtin(catalogue);
  catalogue.add(schedule.function());
  for (const std::string name : {"words", "padded", "sequence"}) {
    const std::map<std::string, std::string> settings = {
        {"words", "tolerance = 0.2\ndiscard_oversize = false\n"},
        {"padded", "buffer = 10\ndiscard_oversize = false\n"},
        {"sequence", ""}};
    Problems problems;
    const Config config =
        read_cfg("[block]\n@batchers = \"spacy.batch_by_" + name + ".v1\"\n" + settings.at(name) +
                     "[block.size]\n@schedules = \"test.no_number.v1\"\n",
                 "test", problems);
    auto made = resolve_at(config, "block", catalogue, {}, problems);
    ASSERT_TRUE(made) << name;
    Lengths examples(kLengths);
    std::int64_t taken = 0;
    try {
      const auto stream = (*made->product().get<BatcherPtr>())->start(examples, taken);
      stream->next();
      ADD_FAILURE() << name;
    } catch (const Error& error) {
      EXPECT_EQ(std::string(error.what()),
                "spacy.batch_by_" + name + ".v1 size: its schedule gives nan in step 0");
    }
  }
}

}  // namespace
}  // namespace weft
