// Entities that do not fall on tokens, as `train` treats and tells them.
#include <algorithm>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "registry/value/json.h"
#include "tests/tools/program.h"

namespace weft::testing_tools {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::Not;

class MisalignedTest : public testing::Test {
 protected:
  void SetUp() override {
    // Of 30 lines every tenth has an entity that ends inside "London-based".
    std::string lines;
    for (int i = 0; i < 30; ++i) {
      lines += i % 10 == 4 ? R"({"text": "Ada saw Londoners.", "entities": [[8, 14, "place"]]})"
                           : R"({"text": "Ada saw Oslo.", "entities": [[8, 12, "place"]]})";
      lines += '\n';
    }
    write_text(folder_ / "train.jsonl", lines);
    write_text(folder_ / "dev.jsonl", lines);
    std::string text = small_config();
    for (std::size_t at = text.find("weft.ConllCorpus.v1"); at != text.npos;
         at = text.find("weft.ConllCorpus.v1")) {
      text.replace(at, 19, "spacy.JsonlCorpus.v1");
    }
    write_text(folder_ / "test.cfg", text);
  }

  Outcome train(std::vector<std::string> more) const {
    std::vector<std::string> words = {"train",
                                      (folder_ / "test.cfg").string(),
                                      "--paths.train",
                                      (folder_ / "train.jsonl").string(),
                                      "--paths.dev",
                                      (folder_ / "dev.jsonl").string(),
                                      "--output",
                                      (folder_ / "out").string(),
                                      "--overwrite",
                                      "--training.max_steps",
                                      "4",
                                      "--training.eval_frequency",
                                      "2"};
    words.insert(words.end(), more.begin(), more.end());
    return run_weft(words);
  }
  std::string misaligned_in_log() const {
    std::istringstream lines(read_text(folder_ / "out/log.jsonl"));
    std::string line, last;
    while (std::getline(lines, line)) last = line;
    const auto record = parse_json(last);
    const Node* counts = record->as_object().find("misaligned");
    return counts == nullptr ? "" : to_json(*counts);
  }

  fs::path folder_ = fresh_folder();
};

TEST_F(MisalignedTest, ByDefaultTheFirstOneEndsTheRunWithItsPlace) {
  const Outcome outcome = train({});
  EXPECT_EQ(outcome.code, 3);
  EXPECT_THAT(outcome.err, HasSubstr("train.jsonl:5"));
  EXPECT_THAT(outcome.err, HasSubstr("place at characters 8 to 14, \"London\""));
  EXPECT_FALSE(fs::exists(folder_ / "out/model-last"));
}

TEST_F(MisalignedTest, PoliciesAreToldAndCountedInTheLog) {
  for (const std::string policy : {"drop", "expand", "contract"}) {
    const Outcome outcome =
        train({"--corpora.train.on_misaligned", policy, "--corpora.dev.on_misaligned", "drop"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_THAT(outcome.err, HasSubstr("warning: " + (folder_ / "train.jsonl").string() +
                                       ":5  document 5: place at characters 8 to 14"));
    EXPECT_THAT(outcome.err, HasSubstr("3 entities of [corpora.train] do not fall on tokens"));
    // No token lies inside, so that contracting leaves nothing.
    const std::string train_counts = policy == "expand" ? "{\"expand\": 3}" : "{\"drop\": 3}";
    EXPECT_EQ(misaligned_in_log(),
              "{\"corpora.train\": " + train_counts + ", \"corpora.dev\": {\"drop\": 3}}");
  }
}

TEST_F(MisalignedTest, AStreamCountsAndGoesOnToTheSameLog) {
  const std::vector<std::string> more = {
      "--corpora.train.on_misaligned", "expand", "--corpora.dev.on_misaligned", "drop",
      "--training.max_epochs",         "-1",     "--training.shuffle_window",   "8",
      "--training.batcher.size",       "16"};
  std::vector<std::string> longer = more;
  longer.insert(longer.end(), {"--training.max_steps", "9"});
  ASSERT_EQ(train(longer).code, 0);
  const std::string whole = misaligned_in_log();
  EXPECT_THAT(whole, HasSubstr("\"expand\": "));
  ASSERT_EQ(train(more).code, 0);
  const Outcome resumed = run_weft(
      {"train", "--resume", "--output", (folder_ / "out").string(), "--training.max_steps", "9"});
  ASSERT_EQ(resumed.code, 0) << resumed.err;
  EXPECT_EQ(misaligned_in_log(), whole);
}

TEST_F(MisalignedTest, AConfigThatDoesNotAskForOursHasNoneOfIt) {
  const Outcome filled = run_weft({"init", "fill-config", (folder_ / "test.cfg").string()});
  ASSERT_EQ(filled.code, 0) << filled.err;
  for (const char* own : {"on_misaligned", "shuffle_window", "memory"}) {
    EXPECT_THAT(filled.out, Not(HasSubstr(own))) << own;
  }
  const Outcome wrong = train({"--corpora.train.on_misaligned", "repair"});
  EXPECT_EQ(wrong.code, 2);
  EXPECT_THAT(wrong.err, HasSubstr("on_misaligned"));
  EXPECT_THAT(wrong.err, HasSubstr("\"expand\""));
}

TEST_F(MisalignedTest, AShuffleWindowIsForStreams) {
  const Outcome outcome = train({"--training.shuffle_window", "8"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.err, HasSubstr("max_epochs = -1"));
}

}  // namespace
}  // namespace weft::testing_tools
