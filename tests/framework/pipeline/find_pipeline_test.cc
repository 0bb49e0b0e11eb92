// Installed pipelines: what stands in the meta.json of a package that is damaged leads nowhere.
#include "framework/pipeline/find_pipeline.h"

#include <filesystem>

#include <gtest/gtest.h>

#include "framework/io/atomic_file.h"

namespace weft {
namespace {

namespace fs = std::filesystem;

class FindPipeline : public testing::Test {
 protected:
  FindPipeline() {
    fs::remove_all(folder_);
    fs::create_directories(package_);
  }
  void add_pipeline(const fs::path& folder) const {
    fs::create_directories(folder);
    write_file(folder / "config.cfg", "");
  }
  fs::path found(const std::string& meta) const {
    write_file(package_ / "meta.json", meta);
    return find_pipeline("en_of_a_test", {folder_});
  }

  fs::path folder_ = fs::path(testing::TempDir()) / "FindPipeline";
  fs::path package_ = folder_ / "en_of_a_test";
};

TEST_F(FindPipeline, APackageNamesItsFolderByItsVersion) {
  add_pipeline(package_ / "en_of_a_test-1.0");
  EXPECT_EQ(found(R"({"version": "1.0"})"), package_ / "en_of_a_test-1.0");
  EXPECT_EQ(found(R"({"version": "2.0"})"), "en_of_a_test");
}

TEST_F(FindPipeline, AVersionIsNoPath) {
  add_pipeline(package_ / "en_of_a_test-1" / "other");
  EXPECT_EQ(found(R"({"version": "1/other"})"), "en_of_a_test");
}

TEST_F(FindPipeline, AMetaThatIsNoObjectNamesNone) {
  for (const char* meta : {"[]", "7", "{", ""}) EXPECT_EQ(found(meta), "en_of_a_test") << meta;
}

}  // namespace
}  // namespace weft
