#include "framework/nn/missing_kernel.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "framework/nn/value.h"

namespace weft {
namespace {

// Throws an error that passes these places, from the innermost on.
void throw_past(const Error& thrown, const std::vector<std::string>& places, std::size_t count) {
  if (count == 0) throw Error(thrown);
  try {
    throw_past(thrown, places, count - 1);
  } catch (const Error& error) {
    throw_on_from(places[count - 1], error);
  }
}

// As it is behind all of them.
Error passed_on(const Error& thrown, const std::vector<std::string>& places) {
  try {
    throw_past(thrown, places, places.size());
  } catch (const Error& error) {
    return error;
  }
  return {ErrorKind::internal, "nothing was thrown"};
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

TEST(MissingKernel, AnOpOfAnyNameIsPlaced) {
  const Error error(ErrorKind::device, "layer norm has no kernel for CUDA devices");
  EXPECT_EQ(passed_on(error, {"layer components.x.model", "component 'x'"}).message(),
            "layer components.x.model: layer norm has no kernel for CUDA devices");
}

TEST(MissingKernel, OtherErrorsGoOnAsTheyAre) {
  for (const ErrorKind kind : {ErrorKind::memory, ErrorKind::diverged, ErrorKind::internal}) {
    const Error same = passed_on(Error(kind, "what it was"), {"layer a", "component 'x'"});
    EXPECT_EQ(same.kind(), kind);
    EXPECT_EQ(same.message(), "what it was");
  }
}

TEST(WrongInput, IsAFaultOfTheConfigAndNamesTheInnermostLayer) {
  try {
    try {
      try {
        static_cast<void>(as_tensor(Value(TensorList())));
      } catch (const Error& error) {
        throw_on_from("layer components.x.model.chain.f", error);
      }
    } catch (const Error& error) {
      throw_on_from("component 'x'", error);
    }
    FAIL() << "nothing was thrown";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::config);
    EXPECT_EQ(error.message(),
              "layer components.x.model.chain.f: a layer expected an array and was given a list of "
              "arrays; the layers of the network do not fit together");
  }
}

}  // namespace
}  // namespace weft
