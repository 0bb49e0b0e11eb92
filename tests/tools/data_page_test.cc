// Every example of docs/data.md, as its page shows it: through `convert` and through a training
// run.
#include "tests/data_page.h"

#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/folders.h"
#include "tests/tools/program.h"

namespace weft::testing_tools {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class DataPageTest : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fresh_folder();
    page_ = data_page(source_path("docs/data.md"));
    for (const PageFile& file : page_.files) write_text(folder_ / file.name, file.text);
  }

  bool is_file(const std::string& name) const {
    return std::any_of(page_.files.begin(), page_.files.end(),
                       [&](const PageFile& file) { return file.name == name; });
  }

  // The same command with files of the test's folder.
  std::vector<std::string> placed(std::vector<std::string> words) const {
    for (std::size_t i = 1; i < words.size(); ++i) {
      if (is_file(words[i]) || words[i].ends_with(".spacy") || words[i] == "tokens.jsonl") {
        words[i] = (folder_ / words[i]).string();
      }
    }
    return words;
  }

  std::string without_folder(std::string text) const {
    const std::string folder = folder_.string() + "/";
    for (std::size_t at = text.find(folder); at != text.npos; at = text.find(folder)) {
      text.erase(at, folder.size());
    }
    return text;
  }

  fs::path folder_;
  DataPage page_;
};

TEST_F(DataPageTest, CommandsSayWhatThePageShows) {
  EXPECT_GE(page_.files.size(), 12u);
  ASSERT_EQ(page_.commands.size(), page_.files.size()) << "a command for each file";
  for (const PageCommand& command : page_.commands) {
    const Outcome outcome = run_weft(placed(command.words));
    EXPECT_EQ(outcome.code, 0) << command.words[1];
    EXPECT_EQ(without_folder(outcome.out + outcome.err), command.output) << command.words[1];
  }
}

TEST_F(DataPageTest, AModelIsTrainedOnEachFileWithEntities) {
  int trained = 0;
  for (const PageCommand& command : page_.commands) {
    const std::string& file = command.words[1];
    if (command.output.find(" 0 entities") != std::string::npos) continue;
    std::string config = small_config();
    const bool is_json = file.ends_with(".json") || file.ends_with(".jsonl");
    const std::string reader = "weft.ConllCorpus.v1";
    for (std::size_t at = config.find(reader); is_json && at != config.npos;
         at = config.find(reader)) {
      config.replace(at, reader.size(), "spacy.JsonlCorpus.v1");
    }
    write_text(folder_ / "test.cfg", config);
    std::vector<std::string> words = {"train",
                                      (folder_ / "test.cfg").string(),
                                      "--paths.train",
                                      (folder_ / file).string(),
                                      "--paths.dev",
                                      (folder_ / file).string(),
                                      "--training.max_steps",
                                      "1",
                                      "--training.eval_frequency",
                                      "1"};
    if (file == "numbered.jsonl") {
      for (const char* corpus : {"train", "dev"}) {
        words.push_back(std::string("--corpora.") + corpus + ".tag_names");
        words.push_back(R"(["O", "B-PER", "I-PER", "B-LOC", "I-LOC"])");
      }
    }
    const Outcome outcome = run_weft(words);
    EXPECT_EQ(outcome.code, 0) << file << "\n" << outcome.err;
    if (file == "prodigy.jsonl") {
      EXPECT_THAT(outcome.err, HasSubstr("2 records of [corpora.train] are left out: 1 rejected, "
                                         "1 ignored by their annotator"));
    }
    ++trained;
  }
  EXPECT_GE(trained, 9);
}

}  // namespace
}  // namespace weft::testing_tools
