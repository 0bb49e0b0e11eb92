#include "framework/comm/launch.h"

#include <array>
#include <charconv>
#include <cstdlib>
#include <optional>
#include <string_view>

#include <fmt/format.h>
#include <unistd.h>

#include "registry/base/error.h"

namespace weft {
namespace {

constexpr int kMostRanks = 1 << 16;

std::string_view variable(const char* name) {
  const char* text = std::getenv(name);
  return text == nullptr ? std::string_view() : text;
}

// Those that `mpirun` and `srun --mpi=pmix` set.
std::optional<Launch> launch_of_mpi() {
  std::optional<int> rank = number_in_environment("OMPI_COMM_WORLD_RANK", 0, kMostRanks);
  if (!rank) rank = number_in_environment("PMIX_RANK", 0, kMostRanks);
  if (!rank) return std::nullopt;
  const int size = number_in_environment("OMPI_COMM_WORLD_SIZE", 1, kMostRanks).value_or(0);
  Launch launch{.rank = *rank, .size = size};
  if (size != 1) launch.engine = "mpi";
  return launch;
}

Launch launch_of_variables(int size) {
  const std::optional<int> rank = number_in_environment("RANK", 0, size - 1);
  if (!rank) {
    throw Error(
        ErrorKind::usage,
        fmt::format("the environment variable WORLD_SIZE is {}, but RANK is not set", size));
  }
  std::optional<int> port = number_in_environment("WEFT_COMM_PORT", 1, 65535);
  if (!port) port = number_in_environment("MASTER_PORT", 1, 65535);
  const std::string_view address = variable("MASTER_ADDR");
  if (address.empty() || !port) {
    throw Error(ErrorKind::usage,
                fmt::format("the environment variable WORLD_SIZE is {}, but {} is not set: the "
                            "ranks do not know where to meet",
                            size, address.empty() ? "MASTER_ADDR" : "MASTER_PORT"));
  }
  return {.rank = *rank,
          .size = size,
          .engine = "gloo",
          .address = std::string(address),
          .port = static_cast<std::uint16_t>(*port)};
}

}  // namespace

std::optional<int> number_in_environment(const char* name, int least, int most) {
  const std::string_view text = variable(name);
  if (text.empty()) return std::nullopt;
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error == std::errc() && end == text.data() + text.size() && value >= least && value <= most) {
    return value;
  }
  throw Error(ErrorKind::usage,
              fmt::format("the environment variable {} is '{}'; a number from {} to {} is needed "
                          "there, or no such variable",
                          name, text, least, most));
}

// The variables of mpirun and srun win over those of torchrun, which may be set around them.
Launch launch_from_environment() {
  if (const auto launch = launch_of_mpi()) return *launch;
  const int size = number_in_environment("WORLD_SIZE", 1, kMostRanks).value_or(1);
  return size > 1 ? launch_of_variables(size) : Launch();
}

std::string host_name() {
  std::array<char, 256> name{};
  if (::gethostname(name.data(), name.size() - 1) != 0) return "an unknown host";
  return name.data();
}

}  // namespace weft
