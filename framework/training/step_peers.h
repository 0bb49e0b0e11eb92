// The other ranks of a run during a step of the optimizer, where arrays are divided among ranks.
#pragma once

#include <span>
#include <vector>

namespace weft {

struct NamedParameter;

// Of a gradient: the sum of squares of each block of the part that this rank updates.
struct BlockSums {
  const NamedParameter* named = nullptr;
  std::vector<double> sums;
};

class StepPeers {
 public:
  virtual ~StepPeers() = default;
  // The sums over all blocks of each of these arrays, on whatever ranks.
  virtual std::vector<double> add_up(std::span<const BlockSums> mine) = 0;
  // Called once nothing of this step can fail here any more, before anything is written; if it
  // throws, nothing is.
  virtual void agree() = 0;
};

}  // namespace weft
