// Why a run ended, in words.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "framework/training/state.h"
#include "framework/training/training_settings.h"
#include "registry/base/export.h"

namespace weft {

enum class RunEnd : std::uint8_t { patience, max_steps, max_epochs, interrupted };

// "patience", "max_steps" …: as run.json has it.
WEFT_API std::string_view name_of(RunEnd end);

// "after step 400, epoch 3: no better score in 1600 steps (patience); best score 0.5731 in step
// 200". `state` is that of the end.
WEFT_API std::string describe_end(RunEnd end, const TrainingState& state,
                                  const TrainingSettings& settings);

// "best score 0.5731 in step 200"; "" before the first evaluation.
WEFT_API std::string describe_best(const TrainingState& state);

}  // namespace weft
