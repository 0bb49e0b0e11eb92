#include "framework/text/doc_shards.h"

#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "framework/io/files_below.h"
#include "registry/base/error.h"
#include "tests/framework/text/text_file.h"

namespace weft {
namespace {

namespace fs = std::filesystem;

class DocShardsTest : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::path(file_with("x", "")).parent_path() / "shards";
    fs::remove_all(folder_);
  }

  void add(DocShards& shards, int docs) const {
    for (int i = 0; i < docs; ++i) {
      const std::string word = "w" + std::to_string(i);
      shards.add(Doc::from_words(vocab_, {std::string_view(word)}));
    }
  }

  std::shared_ptr<Vocab> vocab_ = std::make_shared<Vocab>("en");
  fs::path folder_;
};

TEST_F(DocShardsTest, EachFileHasSoManyDocumentsInTheirOrder) {
  DocShards shards(folder_, 4);
  add(shards, 9);
  EXPECT_FALSE(fs::exists(folder_)) << "not before it is complete";
  shards.finish();
  EXPECT_EQ(shards.files(), 3);
  std::vector<std::string> words;
  std::vector<std::size_t> sizes;
  for (const std::string& file : files_below(folder_, ".spacy")) {
    DocBinReader reader(file, vocab_);
    sizes.push_back(reader.size());
    while (const auto doc = reader.next()) words.emplace_back(doc->word(0));
  }
  EXPECT_THAT(sizes, ::testing::ElementsAre(4, 4, 1));
  ASSERT_EQ(words.size(), 9u);
  EXPECT_EQ(words[8], "w8");
  EXPECT_TRUE(fs::exists(folder_ / "part-00001.spacy"));
}

TEST_F(DocShardsTest, AFolderWithSomethingInItIsNotReplaced) {
  fs::create_directories(folder_);
  EXPECT_NO_THROW(DocShards(folder_, 4)) << "it is empty";
  std::ofstream(folder_ / "mine.txt") << "x";
  EXPECT_THROW(DocShards(folder_, 4), Error);
  EXPECT_THROW(DocShards(folder_ / "mine.txt", 4), Error);
  EXPECT_TRUE(fs::exists(folder_ / "mine.txt"));
}

}  // namespace
}  // namespace weft
