// A pipeline that a program loads without some of its components.
#include <filesystem>

#include <gtest/gtest.h>
#include <unistd.h>

#include "components/weft.h"
#include "registry/base/error.h"

namespace weft {
namespace {

TEST(LoadWithoutComponents, ExcludesDisablesAndEnables) {
  const std::filesystem::path folder =
      std::filesystem::path(testing::TempDir()) / ("component_choice" + std::to_string(::getpid()));
  const auto made = blank("en", {"ner"});
  made->find("ner")->add_label("PERSON");
  made->initialize();
  made->to_disk(folder);
  EXPECT_TRUE(load(folder, {.exclude = {"ner"}})->pipeline().empty());
  EXPECT_FALSE(load(folder, {.disable = {"ner"}})->pipeline()[0].enabled);
  EXPECT_TRUE(load(folder, {.enable = {"ner"}})->pipeline()[0].enabled);
  EXPECT_THROW(load(folder, {.exclude = {"parser"}}), Error);
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace weft
