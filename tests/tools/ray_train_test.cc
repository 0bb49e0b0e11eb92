// `weft ray train` checks its words and hands over to the Python package, which a script stands in
// for here; tests/ray has the package itself.
#include <filesystem>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/folders.h"
#include "tests/tools/program.h"

namespace weft::testing_tools {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

class RayTrain : public ::testing::Test {
 protected:
  void SetUp() override { folder_ = fresh_folder(); }

  // An active Python that answers the question for the packages with that code, and prints the
  // words that it is called with otherwise.
  void set_python(int code) const {
    fs::create_directories(folder_ / "bin");
    const fs::path python = folder_ / "bin/python3";
    write_text(python, "#!/bin/sh\n[ \"$1\" = -c ] && exit " + std::to_string(code) +
                           "\nprintf '%s\\n' \"$@\"\n");
    fs::permissions(python, fs::perms::owner_all);
  }
  Outcome run(std::vector<std::string> words) const {
    words.insert(words.begin(), {"ray", "train"});
    return run_weft(words, {"VIRTUAL_ENV=" + folder_.string()});
  }

  fs::path folder_;
};

TEST_F(RayTrain, PartsItsOwnOptionsFromThoseOfEachRank) {
  set_python(0);
  const Outcome outcome =
      run({"--training.max_steps", "5", "my.cfg", "-o", "out", "-n", "4", "--address",
           "10.0.0.1:6379", "--max-restarts=2", "--code", "a.so", "--verbose"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(outcome.out,
            "-m\nweft_ray\nmy.cfg\n--n-workers\n4\n--threads\n1\n--max-restarts\n2\n--wait\n300\n"
            "--output=out\n--address=10.0.0.1:6379\n--weft=" +
                build_path("bin/weft") + "\n--\n--code=a.so\n--verbose\n--training.max_steps\n5\n");
}

TEST_F(RayTrain, SaysHowToInstallWhatIsMissing) {
  for (const auto& [code, lack] :
       {std::pair(10, "has no package weft-ray"), std::pair(11, "has no package ray")}) {
    set_python(code);
    const Outcome outcome = run({"my.cfg"});
    EXPECT_EQ(outcome.code, 2);
    EXPECT_THAT(outcome.err, HasSubstr(lack));
    EXPECT_THAT(outcome.err, HasSubstr("python3 -m pip install tools/ray"));
  }
  fs::remove_all(folder_ / "bin");
  const Outcome without = run({"my.cfg"});
  EXPECT_EQ(without.code, 2);
  EXPECT_THAT(without.err, HasSubstr("cannot be run"));
}

TEST_F(RayTrain, RefusesWordsThatCannotBe) {
  EXPECT_EQ(run({}).code, 2);
  EXPECT_EQ(run({"my.cfg", "--n-workers", "0"}).code, 2);
  EXPECT_EQ(run({"my.cfg", "--max-restarts", "-1"}).code, 2);
  EXPECT_EQ(run({"my.cfg", "--gpu-id", "0"}).code, 2);
}

}  // namespace
}  // namespace weft::testing_tools
