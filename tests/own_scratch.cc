// ctest runs each test in a process of its own and several at a time. Every process gets a scratch
// folder of its own, below the one that the build names: two tests that choose the same name for a
// file would otherwise write into each other's.
#include <filesystem>
#include <stdexcept>
#include <string>
#include <system_error>

#include <gtest/gtest.h>
#include <stdlib.h>
#include <unistd.h>

namespace weft {
namespace {

class OwnScratch : public ::testing::Environment {
 public:
  void SetUp() override {
    std::filesystem::create_directories(testing::TempDir());
    std::string name = testing::TempDir() + "test-XXXXXX";
    if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("cannot create " + name);
    folder_ = name;
    name += '/';  // as GoogleTest puts names right behind it
    ::setenv("TEST_TMPDIR", name.c_str(), 1);
    ::setenv("TMPDIR", name.c_str(), 1);
  }

  void TearDown() override {
    std::error_code ignored;  // a folder without rights that a test left fails no other test
    std::filesystem::remove_all(folder_, ignored);
  }

 private:
  std::filesystem::path folder_;
};

[[maybe_unused]] const ::testing::Environment* const own_scratch =
    ::testing::AddGlobalTestEnvironment(new OwnScratch);

}  // namespace
}  // namespace weft
