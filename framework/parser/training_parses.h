// The parses of one shard of a training batch and the gold annotation they are judged by.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "framework/ops/transition.h"
#include "framework/ops/transition_oracle.h"
#include "framework/parser/token_marks.h"
#include "framework/text/example.h"
#include "framework/text/gold_tag.h"
#include "registry/base/export.h"

namespace weft {

struct TrainingParses {
  std::vector<GoldTag> tags;              // of every token of the shard
  std::vector<transition::State> states;  // whole documents first, then pieces; document order
  std::vector<std::vector<transition::NegativeSpan>> negatives;  // per state; empty: none at all
};

// `docs` are the predicted documents of `examples`, `marks` theirs. `max_moves`: see
// training_states. Examples without entity annotation get tags but no parse.
WEFT_API TrainingParses training_parses(std::span<Example* const> examples,
                                        std::span<const Doc* const> docs, const TokenMarks& marks,
                                        std::span<const transition::Action> actions,
                                        const std::optional<std::string>& negative_key,
                                        int max_moves);

}  // namespace weft
