#include "framework/training/memory_budget.h"

#include <algorithm>

#include <fmt/format.h>

#include "framework/pipeline/byte_size.h"
#include "framework/pipeline/memory_estimate.h"
#include "framework/pipeline/pipeline_settings.h"
#include "framework/pipeline/setting_error.h"

namespace weft {
namespace {

// Measured: the program with a small vocabulary, before the first step.
constexpr double kProgram = 48e6;
// Below this a step is not worth its overhead.
constexpr double kLeastForStep = 2e6;
// The development data may take a share of what is left.
constexpr double kShareOfEvaluationData = 0.125;

[[noreturn]] void fail(const MemoryBudget& budget, const std::string& what) {
  throw setting_error(
      "system.memory",
      fmt::format(
          "\"{}\" is too little: the program takes about {}, the parameters with gradients, "
          "moments and averages {}{}; give it more",
          byte_size_text(budget.limit), byte_size_text(budget.program),
          byte_size_text(budget.parameters), what));
}

}  // namespace

MemoryBudget memory_budget(const Config& values, const Language& nlp) {
  MemoryBudget budget;
  if (const auto limit = system_settings(values).memory) {
    budget.limit = static_cast<double>(limit->bytes);
  }
  budget.program = kProgram + vector_bytes(nlp);
  budget.parameters = trained_parameter_bytes(nlp);
  if (budget.limit == 0.0) return budget;
  budget.rest = budget.limit - budget.program - budget.parameters;
  if (budget.rest < kLeastForStep) fail(budget, "");
  budget.evaluation_data = std::min(budget.evaluation_data,
                                    static_cast<std::size_t>(kShareOfEvaluationData * budget.rest));
  return budget;
}

double memory_for_step(const MemoryBudget& budget, std::size_t held_examples) {
  if (budget.limit == 0.0) return 0.0;
  const double step = budget.rest - static_cast<double>(held_examples);
  if (step < kLeastForStep) {
    fail(budget, fmt::format(", the examples in memory {} (max_epochs = -1 streams them)",
                             byte_size_text(static_cast<double>(held_examples))));
  }
  return step;
}

}  // namespace weft
