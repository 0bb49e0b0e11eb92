// `weft evaluate` and `weft find-threshold` without a trained pipeline.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/folders.h"
#include "tests/tools/program.h"

namespace weft::testing_tools {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::Not;

class EvaluationTest : public testing::Test {
 protected:
  void SetUp() override { folder_ = fresh_folder(); }

  static std::string data(const std::string& name) {
    return (fs::path(source_path("configs/data/ud-en-ewt")) / name).string();
  }
  // The pipeline of an example config, its network narrow.
  std::string made(const std::string& config, const std::string& train) const {
    const std::string model = (folder_ / "model").string();
    const Outcome outcome =
        run_weft({"init", "nlp", (fs::path(source_path("configs")) / config).string(), model,
                  "--paths.train", data(train), "--paths.dev", data(train), "--corpora.train.limit",
                  "60", "--components.tok2vec.model.encode.width", "16",
                  "--components.tok2vec.model.encode.depth", "1"});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return model;
  }

  fs::path folder_;
};

// The reference draws the parses of an evaluation with square arcs: "M x,y x,y x,y x,y".
TEST_F(EvaluationTest, ParsesAreDrawnCompact) {
  const std::string model =
      source_path("tests/conformance/data/components/parsers_one_piece/model");
  const Outcome outcome = run_weft({"evaluate", model, data("dev.spacy"), "--displacy-path",
                                    (folder_ / "pages").string(), "--displacy-limit", "3"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const std::string page = read_text(folder_ / "pages/parses.html");
  const std::size_t arc = page.find("d=\"M");
  ASSERT_NE(arc, std::string::npos);
  EXPECT_THAT(page.substr(arc, page.find(" fill", arc) - arc), Not(HasSubstr("C")));
}

TEST_F(EvaluationTest, PagesWithoutDrawingsAreTold) {
  const Outcome outcome =
      run_weft({"evaluate", made("spancat.cfg", "phrases_train.spacy"), data("phrases_dev.spacy"),
                "--spans-key", "none", "--displacy-path", (folder_ / "pages").string()});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(outcome.err, HasSubstr("nothing is drawn"));
  EXPECT_THAT(outcome.err, HasSubstr("no spans 'none'; --spans-key takes one of sc"));
}

TEST_F(EvaluationTest, DataWithoutADocumentAndWithoutATokenAreTold) {
  const std::string model =
      source_path("tests/conformance/data/components/parsers_one_piece/model");
  const fs::path file = folder_ / "data.jsonl";
  write_text(file, "");
  EXPECT_THAT(run_weft({"evaluate", model, file.string()}).err, HasSubstr("holds no document"));
  write_text(file, "{\"text\": \"\"}\n{\"text\": \"\"}\n");
  EXPECT_THAT(run_weft({"evaluate", model, file.string()}).err,
              HasSubstr("none of the 2 documents of " + file.string() + " has a token"));
}

// Every span is found without a threshold, and none by the highest.
TEST_F(EvaluationTest, TheBestThresholdIsADecimal) {
  const Outcome outcome = run_weft({"find-threshold", made("spancat.cfg", "phrases_train.spacy"),
                                    data("phrases_dev.spacy"), "spancat", "threshold", "spans_sc_r",
                                    "--n_trials", "2"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("Best threshold: 0.0 with spans_sc_r value of 1.0."));
}

}  // namespace
}  // namespace weft::testing_tools
