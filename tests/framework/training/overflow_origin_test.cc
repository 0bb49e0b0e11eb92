#include "framework/training/overflow_origin.h"

#include <gtest/gtest.h>

namespace weft {
namespace {

TEST(OriginFinder, NamesTheLayerThatMadeTheOverflow) {
  OriginFinder finder;  // told in the order of the backward pass, inner layers first
  finder.went_back("output", true, true);
  finder.went_back("residual.maxout", true, false);
  finder.went_back("residual", true, false);
  finder.went_back("embed", false, false);
  EXPECT_EQ(finder.overflow(), "residual.maxout");
  EXPECT_EQ(finder.first_bad_output(), "");
}

TEST(OriginFinder, ALayerThatWasGivenAnOverflowIsNotItsOrigin) {
  OriginFinder finder;
  finder.went_back("output", false, false);
  EXPECT_EQ(finder.overflow(), "");
}

TEST(OriginFinder, NamesTheFirstOutputThatIsNotFinite) {
  OriginFinder finder;
  finder.went_forward("embed", true);
  finder.went_forward("maxout", false);
  finder.went_forward("linear", false);
  EXPECT_EQ(finder.first_bad_output(), "maxout");
}

}  // namespace
}  // namespace weft
