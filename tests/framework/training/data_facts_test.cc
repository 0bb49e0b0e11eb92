#include "framework/training/data_facts.h"

#include <gtest/gtest.h>

#include "framework/io/atomic_file.h"
#include "registry/base/error.h"
#include "registry/reading/cfg_reader.h"

namespace weft {
namespace {
namespace fs = std::filesystem;

class DataFactsTest : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::path(testing::TempDir()) / "DataFactsTest" /
              testing::UnitTest::GetInstance()->current_test_info()->name();
    fs::remove_all(folder_);
    fs::create_directories(folder_ / "many");
    write_file(folder_ / "abc", "abc");
    write_file(folder_ / "many/one", "1");
    write_file(folder_ / "many/two", "2");
  }
  Object facts(const std::string& train) const {
    Problems problems;
    return data_facts(read_cfg("[corpora]\n\n[corpora.train]\n@readers = \"r\"\npath = \"" +
                                   (folder_ / train).string() +
                                   "\"\n\n[corpora.dev]\n@readers = \"r\"\npath = null\n",
                               "test", problems));
  }
  fs::path folder_;
};

// The digest of "abc" is the first example of FIPS 180-4.
TEST_F(DataFactsTest, HashesFilesAndLeavesOutWhatHasNone) {
  const Object found = facts("abc");
  ASSERT_EQ(found.size(), 1u);
  const Object& train = found.find("corpora.train")->as_object();
  EXPECT_EQ(train.find("sha256")->as_string(),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(train.find("bytes")->as_integer(), 3);
  EXPECT_EQ(facts("absent").size(), 0u);
}

TEST_F(DataFactsTest, AFolderChangesWithNamesAndBytes) {
  const Object before = facts("many");
  EXPECT_EQ(before.find("corpora.train")->as_object().find("files")->as_integer(), 2);
  EXPECT_NO_THROW(check_same_data(before, facts("many")));
  fs::rename(folder_ / "many/two", folder_ / "many/three");
  EXPECT_THROW(check_same_data(before, facts("many")), Error);
}

TEST_F(DataFactsTest, ACorpusOfTheRunIsKnownFromItsBeginning) {
  const Object now = facts("abc");
  EXPECT_NO_THROW(check_same_data(now, now, {"corpora.train", "corpora.dev"}));
  EXPECT_NO_THROW(check_same_data({}, now, {"corpora.dev", "corpora.tra", ""}));
  for (const char* used : {"corpora.train", "corpora"}) {
    EXPECT_THROW(check_same_data({}, now, {used}), Error) << used;
  }
}

TEST_F(DataFactsTest, OtherBytesAreNamedAndAnotherPlaceIsNone) {
  const Object before = facts("abc");
  write_file(folder_ / "copy", "abc");
  EXPECT_NO_THROW(check_same_data(before, facts("copy")));
  write_file(folder_ / "copy", "abd");
  try {
    check_same_data(before, facts("copy"));
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::data);
    EXPECT_NE(std::string(error.what()).find("[corpora.train]"), std::string::npos);
  }
}

}  // namespace
}  // namespace weft
