// Each rank gives its parts of the weights to all others.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "framework/comm/communicator.h"
#include "framework/comm/reused_bytes.h"
#include "framework/training/parts_in_turn.h"
#include "registry/base/export.h"

namespace weft {

// The exchange goes in rounds. In each, every rank gives the next bytes of its parts. All ranks
// know the order and the sizes of all parts, so the numbers alone travel. The memory of two rounds
// is enough: one is on its way while the one before is copied to where it belongs. The messages of
// a round stand in one memory, the own one where the others expect it.
class WEFT_API PartsExchange {
 public:
  using Memory = std::vector<std::shared_ptr<ReusedBytes>>;

  // The parts of each rank, in the order of the ranks; all ranks make one, with parts of the same
  // sizes, and run it. `memory` is taken from and given back to: the next exchange needs no new
  // one.
  PartsExchange(Communicator& comm, std::vector<PartsInTurn> parts, Memory& memory);

  // Reads this rank's parts and writes those of the others. Throws as Work::wait.
  void run();

 private:
  struct Round {
    std::shared_ptr<ReusedBytes> memory;
    std::vector<std::size_t> bytes;  // of each rank
    Work work;
  };
  std::vector<std::size_t> next_bytes();
  std::shared_ptr<ReusedBytes> free_memory();
  Round start();
  void finish(const Round& round);

  Communicator& comm_;
  std::size_t own_;
  std::vector<PartsInTurn> parts_;
  PartsInTurn mine_;               // is ahead of that in `parts_` by a round
  std::vector<std::size_t> left_;  // bytes of each rank
  Memory& memory_;
};

}  // namespace weft
