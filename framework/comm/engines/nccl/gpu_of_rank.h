// Which GPU of its machine a rank uses: NCCL wants one for each rank.
#pragma once

#include <cstdlib>
#include <string>

#include <cuda_runtime_api.h>
#include <fmt/format.h>

#include "framework/comm/engines/nccl/device_memory.h"
#include "framework/comm/launch.h"
#include "registry/base/error.h"

namespace weft {

// Its number among the ranks of this machine, as launchers tell it. Without one all are on it.
inline int number_on_machine(int rank) {
  for (const char* name : {"LOCAL_RANK", "OMPI_COMM_WORLD_LOCAL_RANK", "SLURM_LOCALID"}) {
    if (const auto number = number_in_environment(name, 0, 1 << 16)) return *number;
  }
  return rank;
}

inline int gpu_of_rank(int rank) {
  int count = 0;
  if (const cudaError_t error = cudaGetDeviceCount(&count); error != cudaSuccess || count == 0) {
    throw Error(ErrorKind::usage,
                fmt::format("the engine 'nccl' needs a GPU for each rank, and this machine has "
                            "none: {}",
                            cudaGetErrorString(error)));
  }
  const int number = number_on_machine(rank);
  if (number < count) return number;
  // The launcher lets each rank see its own alone.
  if (count == 1 && std::getenv("CUDA_VISIBLE_DEVICES") != nullptr) return 0;
  throw Error(ErrorKind::usage,
              fmt::format("the engine 'nccl' needs a GPU for each rank: rank {} is number {} of "
                          "{}, which has {}",
                          rank, number, host_name(), count));
}

}  // namespace weft
