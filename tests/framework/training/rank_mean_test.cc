// Means over forked ranks. Skipped without Gloo.
#include "framework/training/rank_mean.h"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "framework/comm/open_engine.h"
#include "framework/precision/element_type.h"
#include "framework/tensor/tensor.h"
#include "tests/framework/comm/engine_body.h"

namespace weft::testing {
namespace {

using ::testing::Each;

// Values that each rank knows of all: element i of rank r has i % 7 + 3 r.
Tensor filled(std::int64_t size, int rank) {
  Tensor tensor = Tensor::zeros({size});
  for (std::int64_t i = 0; i < size; ++i) {
    tensor.data<float>()[i] = static_cast<float>(i % 7 + 3 * rank);
  }
  return tensor;
}

bool is_mean(const Tensor& tensor, float of_ranks) {
  for (std::int64_t i = 0; i < tensor.size(); ++i) {
    if (tensor.data<float>()[i] != static_cast<float>(i % 7) + 3.0F * of_ranks) return false;
  }
  return true;
}

// One array is longer than what is added up at a time.
TEST(RankMean, ArraysBecomeTheirMeansOnAllRanks) {
  if (const std::string why = why_no_engine("gloo"); !why.empty()) GTEST_SKIP() << why;
  for (const int ranks : {2, 3}) {
    const auto codes = run_forked(ranks, [](Communicator& comm) {
      std::vector<Tensor> arrays;
      for (const std::int64_t size : {5, 5'000'000, 0, 1}) {
        arrays.push_back(filled(size, comm.rank()));
      }
      Tensor narrow = cast_to(DType::bf16, filled(9, comm.rank()));
      std::vector<View> views;
      for (Tensor& array : arrays) views.push_back(array.view());
      views.push_back(narrow.view());
      average_over_ranks(comm, views);
      const float of_ranks = static_cast<float>(comm.size() - 1) / 2.0F;
      for (const Tensor& array : arrays) {
        if (!is_mean(array, of_ranks)) return 1;
      }
      return is_mean(cast_to(DType::f32, narrow), of_ranks) ? 0 : 2;
    });
    EXPECT_THAT(codes, Each(0)) << ranks;
  }
}

}  // namespace
}  // namespace weft::testing
