#include "framework/pipeline/pipeline_hashes.h"

#include <utility>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "framework/io/atomic_file.h"
#include "registry/base/error.h"
#include "registry/base/sha256.h"
#include "registry/value/json.h"

namespace weft {
namespace {
namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::IsEmpty;

class PipelineHashesTest : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::path(testing::TempDir()) / "PipelineHashesTest" /
              testing::UnitTest::GetInstance()->current_test_info()->name();
    fs::remove_all(folder_);
    fs::create_directories(folder_ / "ner");
    write_file(folder_ / "ner/model", "numbers");
    write_file(folder_ / "tokenizer", "rules");
  }
  void write_meta() {
    Object meta;
    meta.set(std::string(kFileHashes), hash_files(folder_, "meta.json"));
    write_file(folder_ / "meta.json", to_json(meta));
  }
  fs::path folder_;
};

TEST_F(PipelineHashesTest, EveryFileHasItsHashByRelativePath) {
  write_file(folder_ / "meta.json", "{}");
  const Object hashes = hash_files(folder_, "meta.json");
  EXPECT_EQ(hashes.size(), 2u);
  EXPECT_EQ(hashes.find("ner/model")->as_string(), sha256("numbers"));
  EXPECT_EQ(hashes.find("tokenizer")->as_string(), sha256("rules"));
}

TEST_F(PipelineHashesTest, WhatIsAsItWasHasNoDifference) {
  write_meta();
  const HashCheck check = check_pipeline_files(folder_);
  EXPECT_THAT(check.differences, IsEmpty());
  EXPECT_EQ(check.files, 2u);
}

TEST_F(PipelineHashesTest, ALinkedFileHasItsOwnName) {
  fs::rename(folder_ / "tokenizer", folder_ / "../shared");
  fs::create_symlink("../shared", folder_ / "tokenizer");
  fs::create_symlink("loop", folder_ / "loop");  // no file
  const Object hashes = hash_files(folder_);
  EXPECT_EQ(hashes.size(), 2u);
  EXPECT_EQ(hashes.find("tokenizer")->as_string(), sha256("rules"));
}

TEST_F(PipelineHashesTest, ChangedMissingAndNewFilesAreNamed) {
  write_meta();
  write_file(folder_ / "ner/model", "Numbers");
  fs::remove(folder_ / "tokenizer");
  write_file(folder_ / "extra", "");
  EXPECT_THAT(check_pipeline_files(folder_).differences,
              ElementsAre("ner/model: changed", "tokenizer: missing",
                          "extra: not there when it was saved"));
}

TEST_F(PipelineHashesTest, AMetaWithoutHashesIsAnErrorThatSaysSo) {
  const std::pair<const char*, const char*> metas[] = {{"{}", "keeps no hashes"},
                                                       {"{\"file_sha256\": 3}", "keeps no hashes"},
                                                       {"[]", "meta.json  not a JSON object"},
                                                       {"{", "meta.json:1:2  no valid JSON"}};
  for (const auto& [text, message] : metas) {
    write_file(folder_ / "meta.json", text);
    try {
      check_pipeline_files(folder_);
      ADD_FAILURE() << text;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::data) << text;
      EXPECT_THAT(error.what(), testing::HasSubstr(message)) << text;
    }
  }
}

TEST_F(PipelineHashesTest, AHashThatIsNoTextDiffers) {
  Object hashes;
  hashes.set("ner/model", 12);
  hashes.set("../outside", "abc");
  EXPECT_THAT(check_files(folder_, hashes).differences,
              ElementsAre("ner/model: changed", "../outside: missing",
                          "tokenizer: not there when it was saved"));
}

}  // namespace
}  // namespace weft
