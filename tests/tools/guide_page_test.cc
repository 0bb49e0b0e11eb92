// Blocks of config that spaCy's guide to training shows, as they stand there.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/tools/program.h"

namespace weft::testing_tools {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::Not;

class GuidePage : public testing::Test {
 protected:
  void SetUp() override { folder_ = fresh_folder(); }
  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  fs::path folder_;
};

TEST_F(GuidePage, VariablesInsideOfStrings) {
  std::string text = small_config();
  text.replace(text.find("train = null"), 12,
               "version = 5\nroot = \"/Users/you/data\"\n"
               "train = \"${paths.root}/train_${paths.version}.spacy\"");
  write_text(folder_ / "train.cfg", text);
  const Outcome plain = run_weft({"debug", "config", path("train.cfg"), "--interpolate"});
  ASSERT_EQ(plain.code, 0) << plain.err;
  EXPECT_THAT(plain.out, HasSubstr("train = \"/Users/you/data/train_5.spacy\"\n"));
  EXPECT_THAT(plain.out, HasSubstr("path = \"/Users/you/data/train_5.spacy\"\n"));
  const Outcome other = run_weft(
      {"debug", "config", path("train.cfg"), "--interpolate", "--paths.root", "/other/root"});
  EXPECT_THAT(other.out, HasSubstr("path = \"/other/root/train_5.spacy\"\n"));
}

constexpr const char* kTree =
    "1\tAda\t_\t_\tNNP\t_\t2\tnsubj\t_\tNE=B-PERSON\n2\tsang\t_\t_\tVBD\t_\t0\troot\t_\t_\n"
    "3\there\t_\t_\tRB\t_\t2\tadvmod\t_\tSpaceAfter=No\n4\t.\t_\t_\t.\t_\t2\tpunct\t_\t_\n\n";

constexpr const char* kWeighted = R"cfg([nlp]
lang = "en"
pipeline = ["tagger", "parser", "ner"]

[components]

[components.tagger]
factory = "tagger"

[components.parser]
factory = "parser"
min_action_freq = 1

[components.ner]
factory = "ner"

[corpora]

[corpora.train]
@readers = "weft.ConlluCorpus.v1"
path = "TREES"

[corpora.dev]
@readers = "weft.ConlluCorpus.v1"
path = "TREES"

[training]
max_steps = 1

[training.score_weights]
dep_las = 0.4
dep_uas = null
ents_f = 0.4
tag_acc = 0.2
token_acc = 0.0
speed = 0.0
)cfg";

TEST_F(GuidePage, ScoreWeights) {
  write_text(folder_ / "trees.conllu", std::string(kTree) + kTree + kTree);
  std::string text = kWeighted;
  for (std::size_t at; (at = text.find("TREES")) != text.npos;) {
    text.replace(at, 5, path("trees.conllu"));
  }
  write_text(folder_ / "train.cfg", text);
  const Outcome trained = run_weft({"train", path("train.cfg")});
  ASSERT_EQ(trained.code, 0) << trained.err;
  for (const char* title : {"DEP_LAS", "ENTS_F", "TAG_ACC", "TOKEN_ACC", "SPEED"}) {
    EXPECT_THAT(trained.out, HasSubstr(title));
  }
  EXPECT_THAT(trained.out, Not(HasSubstr("DEP_UAS")));
  EXPECT_THAT(trained.err, Not(HasSubstr("score_weights")));
  const Outcome lacking = run_weft({"train", path("train.cfg"), "--nlp.pipeline",
                                    R"(["tagger", "ner"])", "--training.max_steps", "1"});
  ASSERT_EQ(lacking.code, 0) << lacking.err;
  EXPECT_THAT(lacking.err, HasSubstr("[training.score_weights] dep_las: no component gave"));
  EXPECT_THAT(lacking.err, Not(HasSubstr("dep_uas")));
}

}  // namespace
}  // namespace weft::testing_tools
