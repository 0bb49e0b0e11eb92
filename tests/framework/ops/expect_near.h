// Compares the elements of an array with numbers computed by hand.
#pragma once

#include <cstddef>
#include <vector>

#include <gtest/gtest.h>

#include "framework/tensor/tensor.h"

namespace weft {

inline void expect_near(const Tensor& found, const std::vector<double>& expected,
                        double tolerance) {
  ASSERT_EQ(found.size(), static_cast<std::int64_t>(expected.size()));
  for (std::size_t i = 0; i < expected.size(); ++i) {
    EXPECT_NEAR(found.data<float>()[i], expected[i], tolerance) << i;
  }
}

}  // namespace weft
