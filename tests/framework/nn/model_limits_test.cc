#include "framework/nn/model_limits.h"

#include <cstdlib>

#include <gtest/gtest.h>

#include "framework/nn/shape_inference.h"
#include "registry/base/error.h"

namespace weft {
namespace {

ModelPtr table(std::int64_t rows, std::int64_t width) {
  const auto forward = [](Context&, const Model&, const Value&) { return Forward(); };
  auto model = std::make_shared<Model>("table", forward);
  model->set_dim("nV", rows);
  model->set_dim("nO", width);
  model->declare_dim("nI");
  model->declare_param("E", {"nV", "nO"});
  model->declare_param("b", {"1", "nO", "nI"});
  return model;
}

TEST(ModelLimits, ParametersAreCountedBeforeTheyAreMade) {
  EXPECT_EQ(count_parameters(*table(10, 4), 1000), 44);
  EXPECT_EQ(count_parameters(*table(10, 4), 43), 44);
  EXPECT_EQ(count_parameters(*table(10, 4), 20), 21);
  const std::int64_t huge = std::int64_t{1} << 62;
  EXPECT_EQ(count_parameters(*table(huge, huge), 1000), 1001);
  const ModelPtr both = table(10, 4);
  both->layers().push_back(table(10, 4));
  EXPECT_EQ(count_parameters(*both, 1000), 88);
}

TEST(ModelLimits, AParameterBeyondTheLimitIsNotMade) {
  const ModelPtr model = table(std::int64_t{1} << 31, 1 << 16);
  InitRandom random(1);
  EXPECT_THROW(init_param(*model, "E", {std::int64_t{1} << 31, 1 << 16}, zero_init(), random),
               Error);
}

TEST(ModelLimits, TheEnvironmentRaisesTheLimit) {
  EXPECT_EQ(most_parameters(), std::int64_t{1} << 25);
  ::setenv("WEFT_MAX_PARAMETERS", "12345", 1);
  EXPECT_EQ(most_parameters(), 12345);
  for (const char* bad : {"0", "-1", "many", "1e9", "99999999999999999999"}) {
    ::setenv("WEFT_MAX_PARAMETERS", bad, 1);
    EXPECT_THROW(most_parameters(), Error) << bad;
  }
  ::unsetenv("WEFT_MAX_PARAMETERS");
}

}  // namespace
}  // namespace weft
