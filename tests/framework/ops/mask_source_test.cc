// Dropout masks depend on seed, site and place alone.
#include "framework/ops/mask_source.h"

#include <gtest/gtest.h>

#include "framework/tensor/tensor.h"

namespace weft {
namespace {

TEST(CounterMasks, KeepTheirShareAndDependOnSeedSiteAndPlaceAlone) {
  CounterMasks masks(3, 5);
  Tensor whole = Tensor::zeros({100, 100}), part = Tensor::zeros({7, 100});
  masks.fill("a/1/dropout", 0, 0.2, whole.view());
  masks.fill("a/1/dropout", 1300, 0.2, part.view());
  int kept = 0;
  for (std::int64_t i = 0; i < whole.size(); ++i) {
    const float value = whole.data<float>()[i];
    EXPECT_TRUE(value == 0.0F || value == 1.25F);
    kept += value != 0.0F;
  }
  EXPECT_NEAR(kept, 8000, 160);  // four standard deviations
  for (std::int64_t i = 0; i < part.size(); ++i) {
    EXPECT_EQ(part.data<float>()[i], whole.data<float>()[1300 + i]);
  }
}

}  // namespace
}  // namespace weft
