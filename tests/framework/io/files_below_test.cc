#include "framework/io/files_below.h"

#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include "registry/base/error.h"
#include "tests/framework/text/text_file.h"

namespace weft {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(FilesBelow, FoldersAreSearchedAndHiddenNamesLeftOut) {
  const fs::path root = fs::path(file_with("x", "")).parent_path() / "corpus";
  fs::remove_all(root);
  fs::create_directories(root / "b");
  fs::create_directories(root / "c.spacy");
  fs::create_directories(root / ".hidden");
  for (const char* name : {"b/2.spacy", "1.spacy", "notes.txt", ".3.spacy", ".hidden/4.spacy",
                           "c.spacy/5.spacy", "6.spacy.gz"}) {
    std::ofstream(root / name) << "x";
  }
  EXPECT_THAT(files_below(root, ".spacy"),
              ElementsAre((root / "1.spacy").string(), (root / "b/2.spacy").string(),
                          (root / "c.spacy/5.spacy").string()));
  EXPECT_TRUE(files_below(root / "b", ".txt").empty());
}

// As Python sorts paths: by the parts of their names, not by their letters.
TEST(FilesBelow, AFolderComesBeforeOneWhoseNameGoesOn) {
  const fs::path root = fs::path(file_with("x", "")).parent_path() / "versions";
  for (const char* name : {"v1", "v1.1"}) {
    fs::create_directories(root / name);
    std::ofstream(root / name / "a.spacy") << "x";
  }
  EXPECT_THAT(files_below(root, ".spacy"),
              ElementsAre((root / "v1/a.spacy").string(), (root / "v1.1/a.spacy").string()));
}

// Nothing of a corpus is left out without a word.
TEST(FilesBelow, ALinkToAFolderIsNamed) {
  const fs::path root = fs::path(file_with("x", "")).parent_path() / "linked";
  fs::remove_all(root);
  fs::create_directories(root);
  std::ofstream(root / "a.spacy") << "x";
  fs::create_directory_symlink("..", root / ".hidden");
  EXPECT_EQ(files_below(root, ".spacy").size(), 1U);
  fs::create_directory_symlink("..", root / "around");
  EXPECT_THAT([&] { files_below(root, ".spacy"); },
              ::testing::ThrowsMessage<Error>(HasSubstr("around is a link to a folder")));
}

TEST(FilesBelow, AFileIsTakenWhateverItsName) {
  const std::string file = file_with("notes.txt", "");
  EXPECT_THAT(files_below(file, ".spacy"), ElementsAre(file));
}

TEST(FilesBelow, WhatIsNoFileInAFolderIsNamed) {
  const fs::path root = fs::path(file_with("x", "")).parent_path() / "corpus";
  fs::remove_all(root);
  fs::create_directories(root / "below");
  fs::create_symlink("notes.txt", root / "notes.txt");  // another ending
  EXPECT_TRUE(files_below(root, ".jsonl").empty());
  ASSERT_EQ(::mkfifo((root / "below/a.jsonl").c_str(), 0600), 0);
  EXPECT_THROW(files_below(root, ".jsonl"), Error);
  EXPECT_THAT(files_below(root / "below/a.jsonl", ".jsonl"), ElementsAre(root / "below/a.jsonl"));
  fs::remove(root / "below/a.jsonl");
  fs::create_symlink("a.jsonl", root / "below/a.jsonl");
  EXPECT_THROW(files_below(root, ".jsonl"), Error);
}

TEST(FilesBelow, WhatIsNotThereIsNamed) {
  try {
    files_below("/no/such/folder", ".spacy");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::usage);
    EXPECT_THAT(error.what(), HasSubstr("/no/such/folder"));
  }
}

// Each folder on the way stays open while those in it are searched.
TEST(FilesBelow, AFolderThatCannotBeReadIsNamed) {
  const fs::path root = fs::path(file_with("x", "")).parent_path() / "deep";
  fs::remove_all(root);
  fs::path folder = root;
  for (int i = 0; i < 60; ++i) folder /= "d";
  fs::create_directories(folder);
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_NOFILE, &before), 0);
  const rlimit few{40, before.rlim_max};
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &few), 0);
  std::string fault;
  try {
    files_below(root, ".spacy");
  } catch (const Error& error) {
    fault = error.what();
  }
  ::setrlimit(RLIMIT_NOFILE, &before);
  EXPECT_THAT(fault, HasSubstr("cannot read"));
  EXPECT_THAT(fault, HasSubstr("deep/d/d"));
  EXPECT_TRUE(files_below(root, ".spacy").empty());
  fs::remove_all(root);
}

}  // namespace
}  // namespace weft
