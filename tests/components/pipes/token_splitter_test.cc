// token_splitter: the file that it is read from.
#include <filesystem>
#include <utility>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "framework/io/atomic_file.h"
#include "registry/base/error.h"
#include "tests/components/pipes/made_component.h"

namespace weft {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

TEST(TokenSplitter, LengthsOfItsFileAreNumbersOfCharacters) {
  const fs::path folder = fs::path(testing::TempDir()) / "TokenSplitter";
  fs::create_directories(folder);
  Object block;
  block.set("factory", "token_splitter");
  const ComponentPtr component = made_component(std::move(block));
  for (const char* length : {"-1", "2.5", "\"ten\"", "null"}) {
    write_file(folder / "cfg", std::string("{\"split_length\": ") + length + "}");
    try {
      component->from_disk(folder);
      FAIL() << length;
    } catch (const Error& error) {
      EXPECT_THAT(error.what(), HasSubstr("cfg: split_length is a number of characters"));
    }
  }
  write_file(folder / "cfg", "{\"split_length\": 0}");
  EXPECT_NO_THROW(component->from_disk(folder));
}

}  // namespace
}  // namespace weft
