// Modules of a package.
#include "framework/pipeline/python_package.h"

#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "framework/io/atomic_file.h"
#include "registry/base/error.h"
#include "registry/value/json.h"

namespace weft {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

TEST(PythonPackage, AFileOfAnotherEndingIsNoModule) {
  const fs::path folder = fs::path(testing::TempDir()) / "PythonPackage";
  fs::create_directories(folder / "pipeline");
  write_file(folder / "pipeline/config.cfg", "");
  write_file(folder / "words.txt", "");
  PackageOptions options;
  options.meta = parse_json(R"({"lang": "en", "name": "it", "version": "1.0"})")->as_object();
  options.code = {folder / "words.txt"};
  try {
    write_package(folder / "pipeline", folder / "packages", options);
    FAIL() << "it is written";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("words.txt is no name of a Python module"));
  }
}

}  // namespace
}  // namespace weft
