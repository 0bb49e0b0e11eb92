// The runners of the conformance records notice when records are missing.
#include <cstdlib>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>

#include "tests/folders.h"
#include "tests/tools/program.h"

namespace weft::testing_tools {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::MatchesRegex;

struct Ended {
  int code;
  std::string out;

  std::string last_line() const {
    const std::size_t end = out.find_last_not_of('\n');
    return out.substr(out.rfind('\n', end) + 1, end - out.rfind('\n', end));
  }
};

class ConformanceRunnersTest : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fresh_folder() / "data";
    fs::copy(source_path("tests/conformance/data"), folder_, fs::copy_options::recursive);
  }
  void TearDown() override { fs::remove_all(folder_); }

  Ended run(const std::string& runner, const std::vector<std::string>& words) const {
    std::string command =
        "cd '" + folder_.string() + "' && '" + build_path("tests/") + runner + "'";
    for (const std::string& word : words) command += " '" + word + "'";
    const fs::path out = folder_ / "out.txt";
    const int status = std::system((command + " >'" + out.string() + "' 2>&1").c_str());
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, read_text(out)};
  }
  // The last line of a file of records is cut off.
  void shorten(const std::string& file) const {
    const std::string text = read_text(folder_ / file);
    write_text(folder_ / file, text.substr(0, text.rfind('\n', text.size() - 2) + 1));
  }

  fs::path folder_;
};

TEST_F(ConformanceRunnersTest, CountRecordsThatTakeAnythingApart) {
  const Ended config = run("conformance_config", {"config/cases.jsonl", "config/functions.json"});
  EXPECT_EQ(config.code, 0) << config.out;
  EXPECT_THAT(config.out, HasSubstr("31 lenient: accepted, though not compared\n"));
  EXPECT_THAT(config.last_line(), MatchesRegex("[0-9]+ passed, 0 failed(, [0-9]+ skipped)?"));
}

TEST_F(ConformanceRunnersTest, AMissingRecordIsAFailure) {
  shorten("config/cases.jsonl");
  const Ended config = run("conformance_config", {"config/cases.jsonl", "config/functions.json"});
  EXPECT_EQ(config.code, 1);
  EXPECT_THAT(config.out, HasSubstr("cases.jsonl: 642 records where config/records.txt has 643"));
  EXPECT_THAT(config.last_line(), HasSubstr(" passed, 1 failed"));
  shorten("spacy_ner_tiny/expected.jsonl");
  const Ended pipeline =
      run("conformance_pipeline", {"spacy_ner_tiny", "spacy_ner_tiny/expected.jsonl"});
  EXPECT_EQ(pipeline.code, 1);
  EXPECT_THAT(pipeline.last_line(), HasSubstr(" passed, 1 failed"));
}

TEST_F(ConformanceRunnersTest, AMissingFileIsAFailure) {
  // Languages take long, and two files are enough to miss one of.
  for (const char* lang : {"de", "en", "es", "fr", "it", "nl", "pt"}) {
    fs::remove(folder_ / "tokenizer" / (std::string(lang) + ".jsonl.gz"));
  }
  write_text(folder_ / "tokenizer/records.txt",
             "136 custom_rules_only.jsonl.gz\n1328 xx.jsonl.gz\n");
  for (const auto& [runner, words, file] :
       std::vector<std::tuple<std::string, std::vector<std::string>, std::string>>{
           {"conformance_docbin", {"docbin"}, "docbin/symbols.json"},
           {"conformance_docbin", {"docbin"}, "docbin/cats.json"},
           {"conformance_docbin", {"docbin"}, "docbin/bad/plain_text.spacy"},
           {"conformance_precision", {"precision"}, "precision/gemm16.json"},
           {"conformance_precision", {"precision"}, "precision/autocast_lists.json"},
           {"conformance_update", {"spacy_ner_tiny", "ner_update"}, "ner_update/update_cut.json"},
           {"conformance_tokenizer", {"tokenizer"}, "tokenizer/xx.jsonl.gz"}}) {
    const fs::path moved = folder_ / "moved";
    fs::rename(folder_ / file, moved);
    const Ended ended = run(runner, words);
    EXPECT_EQ(ended.code, 1) << file << ended.out;
    EXPECT_THAT(ended.out, HasSubstr(fs::path(file).filename().string())) << file;
    EXPECT_THAT(ended.last_line(), MatchesRegex("[0-9]+ passed, [1-9][0-9]* failed.*")) << file;
    fs::rename(moved, folder_ / file);
  }
}

// Other people's folders have no list: the files that are there count.
TEST_F(ConformanceRunnersTest, AFolderNeedsNoList) {
  fs::remove(folder_ / "docbin/records.txt");
  fs::remove(folder_ / "docbin/cats.json");
  fs::remove(folder_ / "docbin/cats.spacy");
  const Ended ended = run("conformance_docbin", {"docbin"});
  EXPECT_EQ(ended.code, 0) << ended.out;
  // Records that a runner asks for by name have to be there all the same.
  fs::remove(folder_ / "docbin/symbols.json");
  const Ended without = run("conformance_docbin", {"docbin"});
  EXPECT_EQ(without.code, 1);
  EXPECT_THAT(without.out, HasSubstr("symbols.json: the file of records is missing\n"));
}

}  // namespace
}  // namespace weft::testing_tools
