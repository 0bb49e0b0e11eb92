#include "framework/pipeline/init_vocab.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "framework/io/atomic_file.h"
#include "framework/pipeline/vocab_files.h"
#include "framework/text/vectors.h"
#include "registry/base/error.h"

namespace weft {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

InitializeSettings vectors(const fs::path& folder) {
  InitializeSettings settings;
  settings.vectors = folder.string();
  return settings;
}

InitializeSettings vocab_data(const fs::path& file) {
  InitializeSettings settings;
  settings.vocab_data = file.string();
  return settings;
}

InitializeSettings lookups(const Lookups& tables) {
  InitializeSettings settings;
  settings.lookups = tables;
  return settings;
}

class InitVocabTest : public testing::Test {
 protected:
  void SetUp() override {
    fs::remove_all(folder_);
    fs::create_directories(folder_);
    NlpSettings settings;
    settings.lang = "en";
    nlp_ = std::make_unique<Language>(Config(), settings);
  }
  void TearDown() override { fs::remove_all(folder_); }

  // A pipeline's folder as far as vectors are concerned.
  fs::path with_vectors() const {
    Vocab vocab("en");
    vocab.strings().add("zebra");
    vocab.set_vectors(
        std::make_shared<Vectors>(Tensor::from<float>({1, 2}, {1, 2}),
                                  std::vector<Vectors::KeyRow>{{string_id("zebra"), 0}}));
    Lookups lookups;
    lookups.add(Lookups::kNorms, {{"cuz", "because"}});
    vocab.set_lookups(lookups);
    write_vocab(vocab, folder_ / "base" / "vocab");
    write_file(folder_ / "base" / "meta.json", R"({"vectors": {"name": "animals", "width": 2}})");
    return folder_ / "base";
  }
  std::string failure(const InitializeSettings& settings) {
    try {
      init_vocab(*nlp_, settings);
    } catch (const Error& error) {
      return error.what();
    }
    return "it runs";
  }

  fs::path folder_ =
      fs::path(testing::TempDir()) / testing::UnitTest::GetInstance()->current_test_info()->name();
  std::unique_ptr<Language> nlp_;
};

TEST_F(InitVocabTest, NothingAskedForChangesNothing) {
  EXPECT_EQ(failure({}), "it runs");
  EXPECT_EQ(nlp_->vocab()->vectors().rows(), 0);
  EXPECT_TRUE(nlp_->vocab()->lookups().empty());
}

TEST_F(InitVocabTest, VectorsComeWithStringsAndTheirNameButNotWithLookups) {
  init_vocab(*nlp_, vectors(with_vectors()));
  EXPECT_EQ(nlp_->vocab()->vectors().row_of(string_id("zebra")), 0);
  EXPECT_TRUE(nlp_->vocab()->strings().find(string_id("zebra")).has_value());
  EXPECT_EQ(nlp_->meta().find("vectors")->as_object().find("name")->as_string(), "animals");
  EXPECT_EQ(nlp_->vocab()->norm_of("cuz"), "cuz");
}

TEST_F(InitVocabTest, LookupsReplaceThoseOfThePipeline) {
  Lookups tables;
  tables.add(Lookups::kNorms, {{"ppl", "people"}});
  init_vocab(*nlp_, lookups(tables));
  EXPECT_EQ(nlp_->vocab()->norm_of("ppl"), "people");
}

TEST_F(InitVocabTest, NormsOfVocabDataAreKeptWithThePipeline) {
  write_file(folder_ / "words.jsonl",
             "{\"lang\": \"en\", \"settings\": {\"oov_prob\": -20}}\n"
             "{\"orth\": \"cuz\", \"norm\": \"because\", \"prob\": -9.5, \"cluster\": \"1\"}\n\n"
             "{\"orth\": \"Apple\", \"norm\": \"apple\"}\n{\"orth\": \"plain\"}\n");
  Lookups before;
  before.add(Lookups::kNorms, {{"ppl", "people"}});
  InitializeSettings settings = vocab_data(folder_ / "words.jsonl");
  settings.lookups = before;
  init_vocab(*nlp_, settings);
  EXPECT_EQ(nlp_->vocab()->norm_of("cuz"), "because");
  EXPECT_EQ(nlp_->vocab()->norm_of("ppl"), "people");
  EXPECT_TRUE(nlp_->vocab()->strings().find(string_id("plain")).has_value());
  EXPECT_EQ(nlp_->vocab()->lookups().norms().size(), 2U) << "norms that follow from the word";
}

TEST_F(InitVocabTest, SaysWhatIsWrong) {
  EXPECT_THAT(failure(vectors(folder_ / "absent")),
              HasSubstr("[initialize] vectors: '" + (folder_ / "absent").string()));
  EXPECT_THAT(failure(vocab_data(folder_ / "absent")),
              HasSubstr("[initialize] vocab_data: there is no file"));
  const auto with_line = [&](const std::string& line) {
    write_file(folder_ / "words.jsonl", "{\"orth\": \"a\"}\n" + line + "\n");
    return failure(vocab_data(folder_ / "words.jsonl"));
  };
  EXPECT_EQ(with_line("{\"orth\": \"b\"}"), "it runs");
  EXPECT_THAT(with_line("[1]"), HasSubstr("words.jsonl:2:1  the line is no JSON object"));
  EXPECT_THAT(with_line("{\"norm\": \"b\"}"), HasSubstr("has no text 'orth'"));
  EXPECT_THAT(with_line("{\"orth\": \"b\", \"norm\": 3}"), HasSubstr("'norm' that is no text"));
}

TEST_F(InitVocabTest, DamagedVectorsAreNamed) {
  const fs::path base = with_vectors();
  fs::resize_file(base / "vocab/vectors", 130);
  EXPECT_THAT(failure(vectors(base)), HasSubstr("vocab/vectors"));
  fs::remove(base / "vocab/strings.json");
  EXPECT_THAT(failure(vectors(base)), HasSubstr("strings.json is missing"));
}

}  // namespace
}  // namespace weft
