// The blocks of an array that a step touched, by where in the array they lie: there are too many
// blocks to look at each, and too many touched ones to sort them. For the optimizer's own sources
// alone.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace weft {

class BlockRuns {
 public:
  // Blocks of a run.
  static constexpr std::int64_t kBlocks = 1024;

  BlockRuns() = default;
  // Of an array of `count` blocks.
  BlockRuns(std::span<const std::int32_t> touched, std::int64_t count)
      : ends_(static_cast<std::size_t>((count + kBlocks - 1) / kBlocks)), blocks_(touched.size()) {
    for (const std::int32_t block : touched) ++ends_[run_of(block)];
    std::size_t before = 0;
    for (std::size_t& end : ends_) {
      const std::size_t size = end;
      end = before;
      before += size;
    }
    for (const std::int32_t block : touched) blocks_[ends_[run_of(block)]++] = block;
  }

  // Those of the run in which `block` lies, in the order in which they were touched.
  std::span<const std::int32_t> of_run_with(std::int64_t block) const {
    const std::size_t run = run_of(block);
    if (run >= ends_.size()) return {};
    const std::size_t begin = run == 0 ? 0 : ends_[run - 1];
    return {blocks_.data() + begin, ends_[run] - begin};
  }

 private:
  static std::size_t run_of(std::int64_t block) {
    return static_cast<std::size_t>(block / kBlocks);
  }

  std::vector<std::size_t> ends_;  // of each run among blocks_
  std::vector<std::int32_t> blocks_;
};

}  // namespace weft
