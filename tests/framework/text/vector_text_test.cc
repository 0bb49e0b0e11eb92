#include "framework/text/vector_text.h"

#include <filesystem>
#include <sstream>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "framework/io/atomic_file.h"
#include "framework/io/compressed_file.h"
#include "framework/io/tar_writer.h"
#include "framework/io/zip_writer.h"
#include "framework/pipeline/prune_vectors.h"
#include "framework/text/symbols.h"
#include "registry/base/error.h"

namespace weft {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;

class VectorTextTest : public testing::Test {
 protected:
  ~VectorTextTest() override { fs::remove(file_); }

  VectorText read(const std::string& text, const VectorTextOptions& options = {}) const {
    write_file(file_, text);
    return read_vector_text(file_.string(), options);
  }
  std::string fault(const std::string& text, const VectorTextOptions& options = {}) const {
    try {
      read(text, options);
    } catch (const Error& error) {
      return error.what();
    }
    return "read without a fault";
  }

  fs::path file_ = fs::temp_directory_path() /
                   (std::string("weft_vector_text_test_") +
                    testing::UnitTest::GetInstance()->current_test_info()->name() + ".vec");
};

TEST_F(VectorTextTest, WordsMayHoldBlanks) {
  const VectorText text = read("2 2\nNew York 1 -2.5\ncat 3e2 .5\r\n");
  EXPECT_EQ(text.words, (std::vector<std::string>{"New York", "cat"}));
  EXPECT_EQ(text.table.data<float>()[1], -2.5F);
  EXPECT_EQ(text.table.data<float>()[2], 300.0F);
}

TEST_F(VectorTextTest, AWordOfWhiteSpaceMayBeTheFirst) {
  for (const std::string word : {" ", "\u00a0"}) {
    const VectorText text = read(word + " 1 0 0\ncat 0 1 0\n");
    EXPECT_EQ(text.words, (std::vector<std::string>{word, "cat"}));
  }
  EXPECT_THAT(fault("New York 1 0 0\ncat 0 1 0\n"), HasSubstr("'York' is no number"));
  EXPECT_EQ(read("2010 1 0\n2011 0 1\n").words, (std::vector<std::string>{"2010", "2011"}));
}

TEST_F(VectorTextTest, EqualRowsAreStoredOnceAndSorted) {
  const Vectors vectors = vectors_by_word(read("b 2 2\na 1 1\nc 2 2\n"));
  ASSERT_EQ(vectors.rows(), 2);
  EXPECT_EQ(vectors.row_of(string_id("a")), 0);
  EXPECT_EQ(vectors.row_of(string_id("b")), 1);
  EXPECT_EQ(vectors.row_of(string_id("c")), 1);
}

TEST_F(VectorTextTest, OtherRowsKeepTheirOrder) {
  const Vectors vectors = vectors_by_word(read("b 2 2\na 1 1\n"));
  EXPECT_EQ(vectors.row_of(string_id("b")), 0);
  EXPECT_EQ(vectors.row_of(string_id("a")), 1);
}

TEST_F(VectorTextTest, PruningGivesTheMostSimilarRow) {
  const Vectors all = vectors_by_word(read("x 1 0\ny 0 1\nu 5 1\nv -1 9\n"));
  const Vectors pruned = prune_vectors(all, 2);
  EXPECT_EQ(pruned.rows(), 2);
  EXPECT_EQ(pruned.row_of(string_id("u")), pruned.row_of(string_id("x")));
  EXPECT_EQ(pruned.row_of(string_id("v")), pruned.row_of(string_id("y")));
}

TEST_F(VectorTextTest, FaultsNameTheLine) {
  EXPECT_THAT(fault(""), HasSubstr("is empty"));
  for (const char* blank : {"\n", "\na 1 2\n", " \t\na 1 2\n", "\r\na 1 2\r\n"}) {
    EXPECT_THAT(fault(blank), AllOf(HasSubstr(":1:"), HasSubstr("the line is blank")));
  }
  EXPECT_THAT(fault("a 1 2\n\nb 1 2\n"), AllOf(HasSubstr(":2:"), HasSubstr("the line is blank")));
  EXPECT_THAT(fault("2 2\na 1 2\nb 1\n"), HasSubstr(":3:"));
  EXPECT_THAT(fault("a 1 2\nb 1 x\n"), HasSubstr("'x' is no number"));
  EXPECT_THAT(fault("a 1 nan\n"), HasSubstr("is no number"));
  EXPECT_THAT(fault("a 1 1e39\n"), HasSubstr("is no number"));
  EXPECT_THAT(fault("1 2\na 1 2\nb 1 2\n"), HasSubstr("one more"));
  EXPECT_THAT(fault("2 2\n"), HasSubstr("the header says 2 rows, and none follows"));
  EXPECT_THAT(fault("a 1\n\xff 1\n"), HasSubstr("UTF-8"));
  EXPECT_THAT(fault("2000000000 60000\na 1\n"), HasSubstr("a word and"));
  EXPECT_THAT(fault("1 70000\na 1\n"), HasSubstr("65536"));
  EXPECT_THAT(fault("a 1\n", {.floret = true}), HasSubstr("floret"));
  EXPECT_THAT(fault("2 1 1 2 1 7 < >\n0 1\n", {.floret = true}), HasSubstr("says 2 rows"));
}

TEST_F(VectorTextTest, AByteOrderMarkIsNoPartOfTheFirstWord) {
  EXPECT_EQ(read("\xEF\xBB\xBF"
                 "cat 1 2\ndog 2 1\n")
                .words,
            (std::vector<std::string>{"cat", "dog"}));
  EXPECT_EQ(read("\xEF\xBB\xBF"
                 "1 2\ncat 1 2\n")
                .words,
            (std::vector<std::string>{"cat"}));
}

// The bytes of an archive with one file, as a name with that ending is packed.
std::string archive_bytes(const fs::path& file, const std::string& text) {
  CompressedFile archive(file);
  TarWriter tar(archive.stream());
  tar.add("words.vec", text);
  tar.finish();
  archive.commit();
  return read_file(file);
}

TEST_F(VectorTextTest, DamageToAnArchiveIsNoticedAlsoBehindTheFile) {
  for (const char* ending : {".tar.gz", ".tar.xz", ".tar.zst"}) {
    file_.replace_extension(ending);
    const std::string whole = archive_bytes(file_, "cat 1 2\ndog 2 1\n");
    EXPECT_EQ(read(whole).words, (std::vector<std::string>{"cat", "dog"})) << ending;
    EXPECT_THAT(fault(whole.substr(0, whole.size() - 2)), HasSubstr("cut off")) << ending;
    EXPECT_THAT(fault(whole + "more"), HasSubstr(file_.filename().string())) << ending;
    fs::remove(file_);
    file_.replace_extension();
  }
}

TEST_F(VectorTextTest, AnotherChecksumOfAPackedArchiveIsDamage) {
  file_.replace_extension(".tar.gz");
  std::string bytes = archive_bytes(file_, "cat 1 2\ndog 2 1\n");
  bytes[bytes.size() - 6] ^= 1;
  EXPECT_THAT(fault(bytes), HasSubstr("damaged"));
}

TEST_F(VectorTextTest, AHeaderOfATarArchiveHasItsChecksum) {
  file_.replace_extension(".tar");
  std::string bytes = archive_bytes(file_, "cat 1 2\ndog 2 1\n");
  EXPECT_EQ(read(bytes).words.size(), 2u);
  bytes[135 - 1] ^= 1;  // the last digit of the size
  EXPECT_THAT(fault(bytes), HasSubstr("the tar archive is damaged"));
}

// Gives the header at `place` another type, and the checksum that goes with it.
void set_type(std::string& archive, std::size_t place, char type) {
  archive[place + 156] = type;
  std::fill_n(archive.begin() + static_cast<std::ptrdiff_t>(place) + 148, 8, ' ');
  unsigned sum = 0;
  for (std::size_t i = 0; i < 512; ++i) sum += static_cast<unsigned char>(archive[place + i]);
  for (std::size_t i = 6; i-- > 0; sum /= 8) {
    archive[place + 148 + i] = static_cast<char>('0' + sum % 8);
  }
  archive[place + 154] = '\0';
}

TEST_F(VectorTextTest, WhatIsNoFileOfATarArchiveIsPassedOver) {
  file_.replace_extension(".tar");
  {
    CompressedFile archive(file_);
    TarWriter tar(archive.stream());
    tar.add("attributes", "30 path=words that have vectors");
    tar.add("words.vec", "cat 1 2\n");
    tar.finish();
    archive.commit();
  }
  std::string bytes = read_file(file_);
  set_type(bytes, 0, 'x');
  EXPECT_EQ(read(bytes).words, (std::vector<std::string>{"cat"}));
}

// As programs before POSIX wrote them.
TEST_F(VectorTextTest, AFileOfATarArchiveMayHaveNoType) {
  file_.replace_extension(".tar");
  std::string bytes = archive_bytes(file_, "cat 1 2\n");
  set_type(bytes, 0, '\0');
  EXPECT_EQ(read(bytes).words, (std::vector<std::string>{"cat"}));
}

TEST_F(VectorTextTest, OfAZipArchiveTheFirstFileIsRead) {
  file_.replace_extension(".zip");
  const auto zipped = [](const std::vector<std::pair<std::string, std::string>>& entries) {
    std::ostringstream out;
    ZipWriter zip(out);
    for (const auto& [name, text] : entries) zip.add(name, text);
    zip.finish();
    return out.str();
  };
  EXPECT_EQ(read(zipped({{"all/", ""}, {"all/a.vec", "cat 1 2\n"}, {"all/b.vec", "x"}})).words,
            (std::vector<std::string>{"cat"}));
  EXPECT_THAT(fault(zipped({{"all/", ""}})), HasSubstr("the archive holds no file"));
  EXPECT_THAT(fault(zipped({})), HasSubstr("the archive holds no file"));
}

TEST_F(VectorTextTest, AWordThatIsThereTwiceHasItsLastRow) {
  const Vectors vectors = vectors_by_word(read("cat 1 0\ndog 2 0\ncat 3 0\n"));
  const auto first_of = [&](const char* word) {
    return vectors.table().data<float>()[vectors.row_of(string_id(word)) * vectors.width()];
  };
  EXPECT_EQ(first_of("cat"), 3.0F);
  EXPECT_EQ(first_of("dog"), 2.0F);
}

}  // namespace
}  // namespace weft
