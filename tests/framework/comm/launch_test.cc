// How a process finds out its rank.
#include "framework/comm/launch.h"

#include <cstdlib>
#include <map>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "registry/base/error.h"

namespace weft {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

class LaunchTest : public testing::Test {
 protected:
  void SetUp() override { set({}); }
  void TearDown() override { set({}); }
  static void set(const std::map<std::string, std::string>& values) {
    for (const char* name : {"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "PMIX_RANK", "RANK",
                             "WORLD_SIZE", "MASTER_ADDR", "MASTER_PORT", "WEFT_COMM_PORT"}) {
      ::unsetenv(name);
    }
    for (const auto& [name, value] : values) ::setenv(name.c_str(), value.c_str(), 1);
  }
};

TEST_F(LaunchTest, AloneWithoutVariables) {
  const Launch launch = launch_from_environment();
  EXPECT_EQ(launch.size, 1);
  EXPECT_EQ(launch.engine, "self");
}

TEST_F(LaunchTest, OpenMpiAndSlurm) {
  set({{"OMPI_COMM_WORLD_RANK", "3"}, {"OMPI_COMM_WORLD_SIZE", "4"}});
  Launch launch = launch_from_environment();
  EXPECT_EQ(launch.rank, 3);
  EXPECT_EQ(launch.size, 4);
  EXPECT_EQ(launch.engine, "mpi");
  set({{"PMIX_RANK", "2"}});
  launch = launch_from_environment();
  EXPECT_EQ(launch.rank, 2);
  EXPECT_EQ(launch.size, 0);  // MPI knows
  EXPECT_EQ(launch.engine, "mpi");
  set({{"OMPI_COMM_WORLD_RANK", "0"}, {"OMPI_COMM_WORLD_SIZE", "1"}});
  EXPECT_EQ(launch_from_environment().engine, "self");
}

TEST_F(LaunchTest, VariablesOfTorchrun) {
  std::map<std::string, std::string> values = {
      {"RANK", "1"}, {"WORLD_SIZE", "2"}, {"MASTER_ADDR", "node7"}, {"MASTER_PORT", "29500"}};
  set(values);
  Launch launch = launch_from_environment();
  EXPECT_EQ(launch.rank, 1);
  EXPECT_EQ(launch.engine, "gloo");
  EXPECT_EQ(launch.address, "node7");
  EXPECT_EQ(launch.port, 29500);
  values["WEFT_COMM_PORT"] = "1234";
  set(values);
  EXPECT_EQ(launch_from_environment().port, 1234);
}

TEST_F(LaunchTest, NamesTheVariableThatIsWrong) {
  const std::map<std::string, std::string> good = {
      {"RANK", "1"}, {"WORLD_SIZE", "2"}, {"MASTER_ADDR", "a"}, {"MASTER_PORT", "1"}};
  for (const auto& [name, value] :
       {std::pair("RANK", "2"), std::pair("RANK", "-1"), std::pair("RANK", "1x"),
        std::pair("WORLD_SIZE", "many"), std::pair("MASTER_PORT", "70000"), std::pair("RANK", ""),
        std::pair("MASTER_ADDR", "")}) {
    std::map<std::string, std::string> values = good;
    values[name] = value;
    set(values);
    EXPECT_THAT(launch_from_environment, ThrowsMessage<Error>(HasSubstr(name)));
  }
}

}  // namespace
}  // namespace weft
