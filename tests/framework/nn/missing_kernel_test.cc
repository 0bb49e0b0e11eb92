#include "framework/nn/missing_kernel.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace weft {
namespace {

// The message of an error that passes these places, from the innermost on.
Error passed_on(const Error& thrown, const std::vector<std::string>& places) {
  Error at_last = thrown;
  for (const std::string& place : places) {
    try {
      try {
        throw at_last;
      } catch (const Error& error) {
        throw_on_from(place, error);
      }
    } catch (const Error& error) {
      at_last = error;
    }
  }
  return at_last;
}

TEST(MissingKernel, TheInnermostPlaceIsNamed) {
  const Error error(ErrorKind::device, "the op f has no kernel for CUDA devices");
  const Error named = passed_on(
      error, {"layer components.x.model.chain.f", "layer components.x.model", "component 'x'"});
  EXPECT_EQ(named.kind(), ErrorKind::device);
  EXPECT_EQ(named.message(),
            "layer components.x.model.chain.f: the op f has no kernel for CUDA devices");
}

TEST(MissingKernel, OutsideOfLayersTheComponentIsNamed) {
  const Error named = passed_on(Error(ErrorKind::device, "no kernel"), {"component 'x'"});
  EXPECT_EQ(named.message(), "component 'x': no kernel");
}

TEST(MissingKernel, OtherErrorsGoOnAsTheyAre) {
  for (const ErrorKind kind : {ErrorKind::memory, ErrorKind::diverged, ErrorKind::internal}) {
    const Error same = passed_on(Error(kind, "what it was"), {"layer a", "component 'x'"});
    EXPECT_EQ(same.kind(), kind);
    EXPECT_EQ(same.message(), "what it was");
  }
}

}  // namespace
}  // namespace weft
