#include "framework/training/run_end.h"

#include <algorithm>

#include <fmt/format.h>

namespace weft {
namespace {

std::string reason_of(RunEnd end, const TrainingSettings& settings) {
  switch (end) {
    case RunEnd::patience:
      return fmt::format("no better score in {} steps (patience)", settings.patience);
    case RunEnd::max_steps:
      return fmt::format("max_steps = {} is reached", settings.max_steps);
    case RunEnd::max_epochs:
      return fmt::format("max_epochs = {} passes over the data are done", settings.max_epochs);
    case RunEnd::interrupted:
      break;
  }
  return "interrupted";
}

}  // namespace

std::string_view name_of(RunEnd end) {
  switch (end) {
    case RunEnd::patience:
      return "patience";
    case RunEnd::max_steps:
      return "max_steps";
    case RunEnd::max_epochs:
      return "max_epochs";
    case RunEnd::interrupted:
      break;
  }
  return "interrupted";
}

std::string describe_best(const TrainingState& state) {
  const std::int64_t step = best_step(state);
  const auto best = std::find_if(state.results.begin(), state.results.end(),
                                 [&](const auto& result) { return result.second == step; });
  if (best == state.results.end()) return "";
  return fmt::format("best score {:.4f} in step {}", best->first, step);
}

std::string describe_end(RunEnd end, const TrainingState& state, const TrainingSettings& settings) {
  std::string text = state.step == 0
                         ? std::string("before the first step")
                         : fmt::format("after step {}, epoch {}", state.step - 1, state.epoch);
  text += ": " + reason_of(end, settings);
  const std::string best = describe_best(state);
  return best.empty() ? text : text + "; " + best;
}

}  // namespace weft
