// Parses as a device takes them: longest first, so that the parse at place s has row begin[k] + s
// in round k, and all that kernels read in the device's memory.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "framework/ops/context.h"
#include "framework/ops/transition_steps.h"
#include "framework/parser/training_parses.h"
#include "registry/base/export.h"

namespace weft {

// The states of most steps first (those of equally many in their order), with their negative spans.
// `max_rounds`: 0 is no limit.
WEFT_API TrainingParses longest_first(const TrainingParses& parses, int max_rounds);
WEFT_API std::vector<transition::State> longest_first(std::span<const transition::State> states);

// Where the rows of every round begin, and where the last one ends; of states in that order.
WEFT_API std::vector<std::int32_t> round_begins(std::span<const transition::State> states,
                                                int max_rounds);

// The known wrong spans of all states in one array.
struct FlatNegatives {
  std::vector<transition::NegativeSpan> spans;
  std::vector<std::int32_t> begin;  // (states + 1); empty: there are none at all

  WEFT_API explicit FlatNegatives(const TrainingParses& parses);
};

// Brings what a task or gold annotation points to to the device of the context, for `tokens` tokens
// and states that are longest first; `begins` has to live as long as the task. Does nothing on the
// CPU.
WEFT_API void place(Context& ctx, TransitionTask& task, std::int64_t tokens,
                    std::span<const std::int32_t> begins);
WEFT_API void place(Context& ctx, TransitionGold& gold, std::int64_t tokens,
                    const FlatNegatives& negatives);

}  // namespace weft
