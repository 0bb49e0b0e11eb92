#include "framework/training/jsonl_log.h"

#include <fstream>
#include <regex>
#include <sstream>

#include <gtest/gtest.h>
#include <unistd.h>

#include "registry/base/error.h"
#include "registry/value/json.h"

namespace weft {
namespace {
namespace fs = std::filesystem;

struct Streams {
  std::ostringstream out;
  std::ostringstream err;
};

TEST(JsonlLogTest, KeepsTheClockApart) {
  const fs::path file =
      fs::path(testing::TempDir()) / ("log-" + std::to_string(::getpid()) + ".jsonl");
  std::ofstream(file) << "old";
  Streams streams;
  const LogSetup setup{.nlp = nullptr, .out = streams.out, .err = streams.err};
  const auto session = jsonl_log(file).start(setup);
  TrainingInfo info;
  info.epoch = 1;
  info.step = 20;
  info.score = 0.25;
  info.other_scores.set("ents_p", nullptr);
  info.losses["ner"] = 3.5;
  info.words = 700;
  info.learn_rate = 0.25;
  info.checkpoints = {{0.0, 0}, {0.25, 20}};
  info.seconds = 1.5;
  session->evaluated(info);
  session->evaluated(info);
  std::ifstream read(file);
  std::string line;
  ASSERT_TRUE(std::getline(read, line));
  static const std::regex date(R"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ)");
  EXPECT_EQ(std::regex_replace(line, date, "DATE"),
            R"({"epoch": 1, "step": 20, "score": 0.25, "scores": {"ents_p": null}, )"
            R"("losses": {"ner": 3.5}, "words": 700, "learn_rate": 0.25, )"
            R"("checkpoints": [[0.0, 0], [0.25, 20]], )"
            R"("time": {"date": "DATE", "seconds": 1.5, "words_per_second": 0.0}})");
  ASSERT_TRUE(std::getline(read, line));
  EXPECT_TRUE(parse_json(line));
}

TEST(JsonlLogTest, AFileThatCannotBeWrittenIsNamed) {
  Streams streams;
  const LogSetup setup{.nlp = nullptr, .out = streams.out, .err = streams.err};
  EXPECT_THROW(jsonl_log("/absent/folder/log.jsonl").start(setup), Error);
}

}  // namespace
}  // namespace weft
