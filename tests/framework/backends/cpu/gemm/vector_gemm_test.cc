#include "framework/backends/cpu/gemm/vector_gemm.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>

#include <gtest/gtest.h>

#include "tests/framework/backends/cpu/gemm/gemm_arrays.h"

namespace weft::cpu {
namespace {

const VectorUnit* unit_named(const std::string& name) {
  for (const VectorUnit& unit : vector_units()) {
    if (unit.name == name) return &unit;
  }
  return nullptr;
}

class VectorGemm : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    unit_ = unit_named(GetParam());
    if (unit_ == nullptr) GTEST_SKIP() << "this machine has no " << GetParam();
  }

  const VectorUnit* unit_ = nullptr;
};

TEST_P(VectorGemm, EqualsSumsInDouble) {
  for (const Form& form : kForms) {
    SCOPED_TRACE(testing::PrintToString(form));
    Arrays arrays(form);
    vector_multiply(*unit_, arrays.args());
    arrays.expect_gemm();
    arrays.expect_nothing_beside();
  }
}

// All numbers of rows and columns that a block may be left with.
TEST_P(VectorGemm, EqualsSumsInDoubleAtEveryEdge) {
  for (std::int64_t size = 1; size <= 50; ++size) {
    for (const bool transpose : {false, true}) {
      Arrays arrays({transpose, !transpose, size, 51 - size, 19, 1.0F});
      SCOPED_TRACE(testing::PrintToString(arrays.form));
      vector_multiply(*unit_, arrays.args());
      arrays.expect_gemm();
      arrays.expect_nothing_beside();
    }
  }
}

TEST_P(VectorGemm, ARowDoesNotDependOnTheRowsBesideIt) {
  expect_rows_alone([&](const GemmArgs& args) { vector_multiply(*unit_, args); });
}

// A panel's columns beyond those of c are zeros times whatever stands in a; they go nowhere.
TEST_P(VectorGemm, WhatIsNotFiniteStaysInItsRow) {
  Arrays arrays({false, true, 40, 50, 60, 0.0F});
  arrays.a.data<float>()[7 * 60 + 13] = std::numeric_limits<float>::infinity();
  vector_multiply(*unit_, arrays.args());
  arrays.expect_nothing_beside();
  for (std::int64_t j = 0; j < 50; ++j) {
    EXPECT_FALSE(std::isfinite(arrays.c.data<float>()[7 * 53 + j])) << j;
    EXPECT_TRUE(std::isfinite(arrays.c.data<float>()[8 * 53 + j])) << j;
  }
}

TEST_P(VectorGemm, ThreadsShareThePanelsOfLargeOnesAndGiveTheSameBytes) {
  expect_threads_share([&](const GemmArgs& args) { vector_multiply(*unit_, args); });
}

INSTANTIATE_TEST_SUITE_P(Units, VectorGemm, testing::Values("AVX-512", "AVX2"),
                         [](const auto& info) {
                           return std::string(info.param) == "AVX2" ? "Avx2" : "Avx512";
                         });

}  // namespace
}  // namespace weft::cpu
