#include "framework/text/vectors_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "framework/io/atomic_file.h"
#include "framework/io/msgpack_writer.h"
#include "framework/io/npy.h"
#include "registry/base/error.h"

namespace weft {
namespace {

namespace fs = std::filesystem;

class VectorsFileTest : public testing::Test {
 protected:
  void SetUp() override {
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::string failure() const {
    try {
      read_vectors(folder_);
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::data);
      return error.what();
    }
    return "it reads";
  }
  void write_key(std::int64_t row) const {
    MsgpackWriter out;
    out.map(1);
    out.unsigned_integer(string_id("word"));
    out.integer(row);
    write_file(folder_ / "key2row", out.bytes());
  }

  fs::path folder_ =
      fs::path(testing::TempDir()) / testing::UnitTest::GetInstance()->current_test_info()->name();
};

TEST_F(VectorsFileTest, RowsAndKeysComeBack) {
  const Tensor table = Tensor::from<float>({2, 2}, {1, 2, 3, 4});
  write_vectors(Vectors(table, {{string_id("b"), 1}, {string_id("a"), 0}, {~0ULL, 1}}), folder_);
  EXPECT_EQ(read_file(folder_ / "vectors.cfg"), "{\n  \"mode\":\"default\"\n}");
  const Vectors read = read_vectors(folder_);
  EXPECT_EQ(read.mode(), Vectors::Mode::by_key);
  EXPECT_EQ(read.attr(), Attr::orth);
  EXPECT_EQ(read.keys().front().first, string_id("b"));
  EXPECT_EQ(read.row_of(string_id("a")), 0);
  EXPECT_EQ(read.row_of(~0ULL), 1);
  EXPECT_EQ(read.table().data<float>()[2], 3.0F);
}

TEST_F(VectorsFileTest, SettingsOfFloretComeBack) {
  const FloretSettings settings{2, 5, 3, 123, "{", "}"};
  write_vectors(Vectors(Tensor::zeros({4, 2}), settings, Attr::norm), folder_);
  const Vectors read = read_vectors(folder_);
  EXPECT_EQ(read.mode(), Vectors::Mode::floret);
  EXPECT_EQ(read.attr(), Attr::norm);
  EXPECT_EQ(read.floret().min_ngram, 2U);
  EXPECT_EQ(read.floret().max_ngram, 5U);
  EXPECT_EQ(read.floret().hash_count, 3U);
  EXPECT_EQ(read.floret().hash_seed, 123U);
  EXPECT_EQ(read.floret().begin, "{");
  EXPECT_EQ(read.floret().end, "}");
}

TEST_F(VectorsFileTest, MissingFilesAreNoVectors) {
  EXPECT_EQ(read_vectors(folder_).rows(), 0);
  write_vectors(Vectors(), folder_);
  EXPECT_EQ(read_vectors(folder_).rows(), 0);
  EXPECT_EQ(read_file(folder_ / "key2row"), "\x80");
}

// Files of spaCy before 3.2 have no vectors.cfg; those of floret have no keys.
TEST_F(VectorsFileTest, RowsWithoutKeysAreRefused) {
  write_vectors(Vectors(Tensor::zeros({2, 3}), {{7, 1}}), folder_);
  fs::remove(folder_ / "vectors.cfg");
  EXPECT_EQ(read_vectors(folder_).row_of(7), 1);
  fs::remove(folder_ / "key2row");
  EXPECT_THAT(failure(), testing::HasSubstr("key2row is not there: the vectors beside it have 2 "));
  write_vectors(Vectors(Tensor::zeros({4, 2}), FloretSettings{2, 5, 3, 1, "<", ">"}, Attr::orth),
                folder_);
  fs::remove(folder_ / "key2row");
  EXPECT_EQ(read_vectors(folder_).rows(), 4);
}

TEST_F(VectorsFileTest, RowsWithAnEmptyMapOfKeysAreRefused) {
  write_vectors(Vectors(Tensor::zeros({2, 3}), {{7, 1}}), folder_);
  write_file(folder_ / "key2row", "\x80");
  EXPECT_THAT(failure(), testing::HasSubstr("key2row is empty: the vectors beside it have 2 rows"));
  write_npy_matrix(folder_ / "vectors", Tensor::zeros({0, 3}));
  EXPECT_EQ(read_vectors(folder_).rows(), 0);
}

// A key of an attribute that is none would be found in no document.
TEST_F(VectorsFileTest, AttributesThatNoTokenIsLookedUpByAreRefused) {
  using testing::HasSubstr;
  write_vectors(Vectors(Tensor::zeros({2, 3}), {{7, 1}}), folder_);
  for (const char* attr : {"9999", "0", "71", "1"}) {  // 71: LENGTH, 1: IS_ALPHA
    write_file(folder_ / "vectors.cfg",
               std::string("{\"mode\":\"default\",\"attr\":") + attr + "}");
    EXPECT_THAT(failure(), HasSubstr(std::string("vectors.cfg: attr ") + attr)) << attr;
    EXPECT_THAT(failure(), HasSubstr("it is the number of ORTH, LOWER, NORM, SHAPE,")) << attr;
  }
  write_file(folder_ / "vectors.cfg", "{\"mode\":\"default\",\"attr\":68}");
  EXPECT_EQ(read_vectors(folder_).attr(), Attr::shape);
  write_file(folder_ / "vectors.cfg",
             "{\"mode\":\"floret\",\"minn\":2,\"maxn\":3,\"hash_count\":1,\"attr\":68}");
  EXPECT_THAT(failure(), HasSubstr("vectors.cfg: attr 68"));
  EXPECT_THAT(failure(), HasSubstr("it is the number of ORTH, LOWER or NORM"));
}

TEST_F(VectorsFileTest, NamesTheFileThatIsDamaged) {
  using testing::HasSubstr;
  write_npy_matrix(folder_ / "vectors", Tensor::zeros({2, 3}));
  write_key(2);
  EXPECT_THAT(failure(), HasSubstr("row 2 of a table with 2 rows"));
  write_key(-3);
  EXPECT_THAT(failure(), HasSubstr("key2row"));
  write_file(folder_ / "key2row", "\x81");
  EXPECT_THAT(failure(), HasSubstr("key2row"));
  write_key(1);
  EXPECT_EQ(failure(), "it reads");
  write_file(folder_ / "key2row", read_file(folder_ / "key2row") + '\xc0');
  EXPECT_THAT(failure(), HasSubstr("bytes follow the end of the data"));
  write_key(1);
  for (const char* text :
       {"[]", "{\"mode\":\"other\"}", "{\"mode\":3}", "{\"mode\":\"floret\",\"minn\":-1}",
        "{\"mode\":\"floret\",\"bow\":1}", "{\"mode\":\"floret\",\"minn\":99999999999999999999}"}) {
    write_file(folder_ / "vectors.cfg", text);
    EXPECT_THAT(failure(), HasSubstr("vectors.cfg")) << text;
  }
  write_file(folder_ / "vectors.cfg", "{\"mode\":\"floret\",\"hash_count\":9}");
  EXPECT_THAT(failure(), HasSubstr("hash_count is 9"));
}

TEST_F(VectorsFileTest, AKeyThatIsThereTwiceIsRefused) {
  MsgpackWriter keys;
  keys.map(2);
  for (int i = 0; i < 2; ++i) keys.integer(7), keys.integer(0);
  write_file(folder_ / "key2row", keys.bytes());
  EXPECT_THAT(failure(), testing::HasSubstr("the key 7 is there twice"));
}

}  // namespace
}  // namespace weft
