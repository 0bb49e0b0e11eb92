#include "framework/io/npy.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "framework/io/atomic_file.h"
#include "registry/base/error.h"

namespace weft {
namespace {

namespace fs = std::filesystem;

class NpyTest : public testing::Test {
 protected:
  void SetUp() override { fs::remove(file_); }
  void TearDown() override { fs::remove(file_); }

  // The message of the error that reading `bytes` gives.
  std::string failure(const std::string& bytes) {
    write_file(file_, bytes);
    try {
      read_npy_matrix(file_);
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::data);
      return error.what();
    }
    return "it reads";
  }
  static std::string numbers(std::initializer_list<float> values) {
    return {reinterpret_cast<const char*>(values.begin()), values.size() * sizeof(float)};
  }

  fs::path file_ =
      fs::path(testing::TempDir()) / testing::UnitTest::GetInstance()->current_test_info()->name();
};

TEST_F(NpyTest, AMatrixComesBack) {
  const Tensor matrix = Tensor::from<float>({2, 3}, {1, -2, 3.5F, 0, 1e-30F, 6});
  write_npy_matrix(file_, matrix);
  const Tensor read = read_npy_matrix(file_);
  ASSERT_EQ(read.shape(), matrix.shape());
  EXPECT_TRUE(std::equal(read.data<float>(), read.data<float>() + 6, matrix.data<float>()));
}

TEST_F(NpyTest, NothingIsAFileOfTheHeaderAlone) {
  write_npy_matrix(file_, Tensor());
  EXPECT_EQ(read_file(file_), npy_header(0, 0));
  EXPECT_EQ(read_npy_matrix(file_).size(), 0);
  write_npy_matrix(file_, Tensor::zeros({0, 5}));
  EXPECT_EQ(read_npy_matrix(file_).dim(1), 5);
}

// numpy.save of a matrix (100, 7), NumPy 2.
TEST_F(NpyTest, TheHeaderIsThatOfNumPy) {
  std::string expected("\x93NUMPY\x01\x00v\x00", 10);
  expected += "{'descr': '<f4', 'fortran_order': False, 'shape': (100, 7), }";
  expected.append(56, ' ').append("\n");
  EXPECT_EQ(npy_header(100, 7), expected);
  EXPECT_EQ(npy_header(100, 7).size(), 128U);
}

TEST_F(NpyTest, ColumnsFirstIsTurnedAround) {
  std::string bytes = npy_header(2, 3);
  bytes.replace(bytes.find("False"), 5, "True ");
  write_file(file_, bytes + numbers({1, 4, 2, 5, 3, 6}));
  const Tensor read = read_npy_matrix(file_);
  ASSERT_EQ(read.shape(), (Shape{2, 3}));
  for (int i = 0; i < 6; ++i) EXPECT_EQ(read.data<float>()[i], static_cast<float>(i + 1));
}

TEST_F(NpyTest, SaysWhatIsWrong) {
  using testing::HasSubstr;
  const std::string good = npy_header(1, 2) + numbers({1, 2});
  EXPECT_EQ(failure(good), "it reads");
  EXPECT_THAT(failure("no array"), HasSubstr("no NumPy array"));
  EXPECT_THAT(failure(good.substr(0, 60)), HasSubstr("cut off"));
  EXPECT_THAT(failure(good.substr(0, good.size() - 1)), HasSubstr("shape (1, 2)"));
  EXPECT_THAT(failure(good + "x"), HasSubstr("shape (1, 2)"));
  EXPECT_THAT(failure(npy_header(1, 2) + numbers({1, NAN})), HasSubstr("NaN"));
  EXPECT_THAT(failure(npy_header(1 << 30, 1 << 16)), HasSubstr("shape"));
  const auto changed = [&](const std::string& from, const std::string& to) {
    std::string bytes = good;
    return bytes.replace(bytes.find(from), from.size(), to);
  };
  EXPECT_THAT(failure(changed("<f4", "<f8")), HasSubstr("32-bit floats"));
  EXPECT_THAT(failure(changed("<f4", "<i4")), HasSubstr(".astype(\"float32\")"));
  EXPECT_THAT(failure(changed("(1, 2)", "(2,)  ")), HasSubstr("no matrix"));
  EXPECT_THAT(failure(changed("(1, 2)", "(-1,2)")), HasSubstr("no matrix"));
}

// A shape without elements fits the bytes of any file, and its rows and columns are walked over.
TEST_F(NpyTest, ShapesWithoutElementsAreBounded) {
  using testing::HasSubstr;
  const auto by_columns = [](std::string header) {
    return header.replace(header.find("False"), 5, "True ");
  };
  constexpr std::int64_t kMany = std::int64_t{1} << 62;
  for (const std::string& header :
       {npy_header(0, kMany), by_columns(npy_header(0, kMany)), npy_header(0, 65537)}) {
    EXPECT_THAT(failure(header), HasSubstr("numbers; 1 to 65536 can be read"));
    EXPECT_THAT(failure(header), HasSubstr(file_.string()));
  }
  for (const std::string& header : {npy_header(kMany, 0), by_columns(npy_header(kMany, 0))}) {
    EXPECT_THAT(failure(header), HasSubstr("more than 2147483647 rows"));
  }
  EXPECT_THAT(failure(npy_header(2147483647, 0)), HasSubstr("vectors of 0 numbers"));
  write_file(file_, by_columns(npy_header(0, 65536)));
  EXPECT_EQ(read_npy_matrix(file_).shape(), (Shape{0, 65536}));
}

// Elements of other widths and byte orders, for tables that are made into vectors.
TEST_F(NpyTest, OtherFloatsAreRoundedWhereATableIsTakenOver) {
  const auto bytes_of = [](auto number, bool reversed) {
    std::string bytes(sizeof number, '\0');
    std::memcpy(bytes.data(), &number, sizeof number);
    if (reversed) std::reverse(bytes.begin(), bytes.end());
    return bytes;
  };
  const auto read = [&](const std::string& type, const std::string& elements) {
    std::string bytes = npy_header(1, 2);
    bytes.replace(bytes.find("<f4"), 3, type);
    write_file(file_, bytes + elements);
    const Tensor matrix = read_npz_matrix(file_);
    return std::vector<float>(matrix.data<float>(), matrix.data<float>() + matrix.size());
  };
  const std::vector<float> expected = {0.1F, -2.0F};
  EXPECT_EQ(read("<f8", bytes_of(0.1, false) + bytes_of(-2.0, false)), expected);
  EXPECT_EQ(read(">f8", bytes_of(0.1, true) + bytes_of(-2.0, true)), expected);
  EXPECT_EQ(read(">f4", bytes_of(0.1F, true) + bytes_of(-2.0F, true)), expected);
  const std::uint16_t half = 0x3c00, minus_two = 0xc000;
  EXPECT_EQ(read("<f2", bytes_of(half, false) + bytes_of(minus_two, false)),
            (std::vector<float>{1.0F, -2.0F}));
  EXPECT_THROW(read("<f8", bytes_of(0.1, false)), Error) << "cut off";
  EXPECT_THROW(read("<f8", bytes_of(1e300, false) + bytes_of(0.0, false)), Error) << "no f32";
  EXPECT_THROW(read("<i4", bytes_of(1, false) + bytes_of(2, false)), Error);
}

TEST_F(NpyTest, AFileThatIsNotThereIsTheSystemsFault) {
  try {
    read_npy_matrix(file_);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::system);
    EXPECT_THAT(error.what(), testing::HasSubstr(file_.string()));
  }
}

}  // namespace
}  // namespace weft
