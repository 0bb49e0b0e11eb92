#include "framework/pipeline/vocab_files.h"

#include <gtest/gtest.h>

#include "framework/io/atomic_file.h"
#include "framework/io/msgpack_writer.h"
#include "registry/base/error.h"

namespace weft {
namespace {
namespace fs = std::filesystem;

class VocabFilesTest : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::path(testing::TempDir()) /
              testing::UnitTest::GetInstance()->current_test_info()->name();
    fs::remove_all(folder_);
  }
  fs::path folder_;
};

TEST_F(VocabFilesTest, StringsAndTablesComeBack) {
  Vocab vocab("en");
  vocab.strings().add("zebra");
  vocab.strings().add("Ärger");
  MsgpackWriter lookups;
  lookups.map(2);
  lookups.str("lexeme_norm");
  lookups.map(1);
  lookups.unsigned_integer(string_id("cuz"));
  lookups.str("because");
  lookups.str("other");
  lookups.array(0);
  const std::string table = lookups.take();
  vocab.set_lookups(Lookups::parse(table, "lookups.bin"));
  write_vocab(vocab, folder_);
  Vocab read("en");
  read_vocab(read, folder_);
  EXPECT_EQ(read.strings().sorted(), vocab.strings().sorted());
  EXPECT_EQ(read.norm_of("cuz"), "because");
  EXPECT_EQ(read.lookups().packed(), table);
  EXPECT_EQ(read_file(folder_ / "lookups.bin"), table);
  EXPECT_EQ(fs::file_size(folder_ / "vectors"), 128u);
  EXPECT_EQ(read_file(folder_ / "key2row"), "\x80");
}

TEST_F(VocabFilesTest, WhatIsMissingOrDamagedIsNamed) {
  Vocab vocab("en");
  EXPECT_NO_THROW(read_vocab(vocab, folder_));
  fs::create_directories(folder_);
  EXPECT_THROW(read_vocab(vocab, folder_), Error);
  write_file(folder_ / "strings.json", "[\"a\",\n\"b\" \"c\"]");
  try {
    read_vocab(vocab, folder_);
    ADD_FAILURE() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.place().line, 2);
  }
  write_file(folder_ / "strings.json", "[1]");
  EXPECT_THROW(read_vocab(vocab, folder_), Error);
  write_file(folder_ / "strings.json", "[\"a\"]");
  write_file(folder_ / "lookups.bin", "\x81\xa1");
  EXPECT_THROW(read_vocab(vocab, folder_), Error);
}

}  // namespace
}  // namespace weft
