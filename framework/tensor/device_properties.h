// Properties of a device as data, for decisions that are taken without one.
#pragma once

#include <string>

namespace weft {

struct DeviceProperties {
  enum class Kind : unsigned char { cpu, cuda };
  Kind kind = Kind::cpu;
  std::string name;  // "NVIDIA H200"
  int major = 0;     // compute capability; 0 for a CPU
  int minor = 0;
  // False where a timed GEMM showed no fp16 matrix units although the capability has them, as on
  // some parts of 7.5.
  bool has_fp16_matrix_units = true;
};

}  // namespace weft
