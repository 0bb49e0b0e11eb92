// Whether a pipeline is small enough to be given parameters, asked before any is allocated.
#pragma once

#include <cstdint>
#include <string>

#include "framework/pipeline/component.h"
#include "registry/base/export.h"
#include "registry/base/problem.h"
#include "registry/value/config.h"

namespace weft {

// Adds up the parameters of components as they are built. Source: docs/limits.md, "Configs".
class WEFT_API ModelSize {
 public:
  // Throws Error(usage) for a limit in the environment that is none.
  ModelSize();
  // Adds the models of a component whose section is `block`, at `path` in the config. Where the sum
  // goes beyond the limit, a problem names the largest number of the section.
  void add(const Component& component, const Node& block, const std::string& path,
           Problems& problems);

 private:
  std::int64_t limit_;
  std::int64_t sum_ = 0;
};

}  // namespace weft
