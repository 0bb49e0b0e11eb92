#include "framework/precision/storage.h"

#include <gtest/gtest.h>

namespace weft {
namespace {

PrecisionSettings at_level(const std::string& level) {
  PrecisionSettings settings;
  settings.level = level;
  return settings;
}

TEST(Storage, NormWeightsAndTransitionsStayF32OnlyAtO2) {
  const PrecisionPolicy o2 = make_precision_policy(at_level("O2"));
  EXPECT_EQ(parameter_format(o2, ParameterKind::weight), NumberFormat::f16);
  EXPECT_EQ(parameter_format(o2, ParameterKind::norm), NumberFormat::f32);
  EXPECT_EQ(parameter_format(o2, ParameterKind::crf_transition), NumberFormat::f32);
  const PrecisionPolicy o3 = make_precision_policy(at_level("O3"));
  EXPECT_EQ(parameter_format(o3, ParameterKind::norm), NumberFormat::f16);
  const PrecisionPolicy o1 = make_precision_policy(at_level("O1"));
  EXPECT_EQ(parameter_format(o1, ParameterKind::weight), NumberFormat::f32);
}

TEST(Storage, GradientsAndMomentsFollowTheirSettings) {
  PrecisionSettings settings = at_level("O2");
  settings.grad_dtype = Width::low;
  EXPECT_EQ(storage_of(make_precision_policy(settings)).param_grads, Stored::low);
  settings = at_level("O3");
  settings.optimizer_state = Width::low;
  EXPECT_EQ(storage_of(make_precision_policy(settings)).moments, Stored::low);
}

TEST(Storage, MastersAtO3MakeGradientsF32) {
  PrecisionSettings settings = at_level("O3");
  settings.master_weights = true;
  const StorageFormats storage = storage_of(make_precision_policy(settings));
  EXPECT_TRUE(storage.masters);
  EXPECT_EQ(storage.param_grads, Stored::f32);
}

}  // namespace
}  // namespace weft
