#include "framework/text/vectors.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "registry/base/error.h"

namespace weft {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(Vectors, FindTheRowOfAKey) {
  std::vector<Vectors::KeyRow> keys;
  for (int i = 0; i < 1000; ++i) keys.emplace_back(string_id("w" + std::to_string(i)), i % 50);
  const Vectors vectors(Tensor::zeros({50, 3}), keys);
  for (const auto& [key, row] : keys) EXPECT_EQ(vectors.row_of(key), row);
  EXPECT_EQ(vectors.row_of(string_id("w1000")), -1);
  EXPECT_EQ(vectors.rows(), 50);
  EXPECT_EQ(vectors.width(), 3);
}

TEST(Vectors, NoneAreNoRows) {
  const Vectors none;
  EXPECT_EQ(none.rows(), 0);
  EXPECT_EQ(none.width(), 0);
  EXPECT_EQ(none.row_of(1), -1);
  EXPECT_EQ(Vectors(Tensor::zeros({0, 4}), std::vector<Vectors::KeyRow>()).row_of(1), -1);
}

// Recorded from spaCy 3.8: two hashes for each n-gram of two and three characters.
TEST(Vectors, NgramsChooseTheRecordedRows) {
  const Vectors vectors(Tensor::zeros({10, 2}), FloretSettings{2, 3, 2, 7, "<", ">"});
  std::vector<std::int32_t> rows;
  vectors.append_rows("It", rows);
  EXPECT_THAT(rows, ElementsAre(8, 7, 9, 7, 0, 0, 4, 3, 5, 9, 0, 0));
  rows.clear();
  vectors.append_rows("über", rows);
  EXPECT_THAT(rows, ElementsAre(8, 3, 4, 8, 4, 9, 7, 0, 4, 9, 8, 6, 0, 7, 0, 5, 1, 1, 2, 0));
}

TEST(Vectors, ALongNgramLeavesTheWordAlone) {
  const Vectors vectors(Tensor::zeros({10, 2}), FloretSettings{50, 60, 4, 0, "<", ">"});
  std::vector<std::int32_t> rows;
  vectors.append_rows("It", rows);
  EXPECT_EQ(rows.size(), 4U);
}

TEST(Vectors, AWordOfTooManyNgramsIsRefused) {
  const Vectors vectors(Tensor::zeros({10, 2}), FloretSettings{1, 64, 4, 0, "<", ">"});
  std::vector<std::int32_t> rows;
  vectors.append_rows(std::string(60'000, 'a'), rows);
  EXPECT_GT(rows.size(), std::size_t{15'000'000});
  EXPECT_THROW(vectors.append_rows(std::string(70'000, 'a'), rows), Error);
}

std::string failure(const std::function<void()>& make) {
  try {
    make();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::data);
    return error.what();
  }
  return "it is made";
}

TEST(Vectors, RefuseWhatCannotBe) {
  const auto keyed = [](std::int32_t row) {
    return failure([=] { Vectors(Tensor::zeros({3, 2}), {{17, row}}); });
  };
  EXPECT_EQ(keyed(2), "it is made");
  EXPECT_THAT(keyed(3), HasSubstr("row 3 of a table with 3 rows"));
  EXPECT_THAT(keyed(-1), HasSubstr("row -1"));
  const auto hashed = [](std::int64_t rows, FloretSettings settings) {
    return failure([=] { Vectors(Tensor::zeros({rows, 2}), settings); });
  };
  EXPECT_THAT(hashed(3, {2, 3, 0, 0}), HasSubstr("hash_count is 0"));
  EXPECT_THAT(hashed(3, {2, 3, 5, 0}), HasSubstr("hash_count is 5"));
  EXPECT_THAT(hashed(3, {4, 3, 1, 0}), HasSubstr("maxn 3 is below minn 4"));
  EXPECT_THAT(hashed(0, {2, 3, 1, 0}), HasSubstr("without rows"));
  EXPECT_THAT(failure([] { Vectors(Tensor::zeros({3}), std::vector<Vectors::KeyRow>()); }),
              HasSubstr("matrix"));
}

TEST(Vectors, OfAKeyThatIsGivenTwiceTheFirstRowCounts) {
  const Vectors vectors(Tensor::zeros({3, 1}), {{5, 2}, {5, 1}, {6, 0}});
  EXPECT_EQ(vectors.row_of(5), 2);
  EXPECT_EQ(vectors.row_of(6), 0);
  EXPECT_EQ(vectors.keys().size(), 3u);
}

TEST(Vectors, FloretSettingsAreBounded) {
  const Tensor table = Tensor::zeros({3, 1});
  FloretSettings settings{.min_ngram = 2, .max_ngram = 64};
  EXPECT_NO_THROW(Vectors(table, settings));
  settings.max_ngram = 65;
  EXPECT_THROW(Vectors(table, settings), Error);
  settings.max_ngram = 3;
  settings.begin = std::string(65, '<');
  EXPECT_THROW(Vectors(table, settings), Error);
}

}  // namespace
}  // namespace weft
