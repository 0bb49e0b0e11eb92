// The order of the parses of a batch. The transition kernels of a device want those of most steps
// first, so that the parses that go on in round k are the first ones, and the row of the parse at
// place s is begin[k] + s. Those of the CPU take parses as they come.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "framework/ops/context.h"
#include "framework/ops/transition_steps.h"
#include "registry/base/export.h"

namespace weft {

class WEFT_API ParseOrder {
 public:
  // `steps`: the most that each parse takes. Parses of equally many stay in their order.
  ParseOrder(const Context& ctx, std::vector<int> steps);

  // The values of all parses in this order; `memory` holds them where that is another one.
  template <class T>
  std::span<const T> sorted(std::span<const T> of_parses, std::vector<T>& memory) const {
    if (places_.empty()) return of_parses;
    memory.clear();
    for (const std::size_t parse : places_) memory.push_back(of_parses[parse]);
    return memory;
  }
  // The steps of the parses, in this order.
  std::span<const int> steps() const { return steps_; }
  // Of all parses together: the rows that a record of them needs room for.
  std::int64_t rows() const { return rows_; }
  // Whether the row of each step in a record is known before it is taken.
  bool knows_rows() const { return !begins_.empty(); }
  // For kernels on the context's device, as long as this lives; without rounds on the CPU.
  TransitionRounds rounds(Context& ctx) const;

 private:
  std::vector<std::size_t> places_;   // which parse stands at each place; empty: as they come
  std::vector<int> steps_;            // in this order
  std::vector<std::int32_t> begins_;  // of the rows of every round, and the end of the last one
  std::int64_t rows_ = 0;
};

}  // namespace weft
