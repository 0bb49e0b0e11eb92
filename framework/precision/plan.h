// The lines of `precision plan`: the number format of every op, parameter and accumulator under a
// policy, and which rule decided. Nothing is trained or allocated.
// Source: docs/precision.md, "The plan".
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "framework/precision/op_policy.h"
#include "framework/precision/storage.h"
#include "registry/base/export.h"

namespace weft {

struct PlanLine {
  std::string path;                  // "components.ner.model.maxout"
  std::string name;                  // of the op or parameter
  std::string category;              // "low", ...; "parameter" for parameters
  std::string input;                 // "f32", "fp16", "input", "widest", "error"; "" for parameters
  std::string accumulator;           // "f32", or "" where there is none
  std::string output;                // as input; the stored format for parameters
  std::vector<std::int64_t> padded;  // dimensions as stored, the inner one padded
  std::string decided_by;  // "O1", "rule 2 (components.ner.*)", "always f32", "undeclared"
};

// The line of op `op` in the layer at `path`.
WEFT_API PlanLine plan_op(const PrecisionPolicy& policy, const std::string& path,
                          const OpPolicy& op);

// The line of a parameter with dimensions `shape`.
WEFT_API PlanLine plan_parameter(const PrecisionPolicy& policy, const std::string& path,
                                 const std::string& name, ParameterKind kind,
                                 std::vector<std::int64_t> shape);

// `size` rounded up to the multiple of 8 that 16-bit matrix units need; as it is for other formats.
WEFT_API std::int64_t padded_size(std::int64_t size, NumberFormat format);

}  // namespace weft
