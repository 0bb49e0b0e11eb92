#include "framework/training/memory_plan.h"

#include <algorithm>

#include <fmt/format.h>

#include "framework/pipeline/byte_size.h"
#include "framework/pipeline/memory_estimate.h"
#include "framework/pipeline/settings.h"
#include "registry/base/error.h"

namespace weft {
namespace {

// Measured: the program with a small vocabulary, before the first step.
constexpr double kProgram = 48e6;
// Below this a step is not worth its overhead.
constexpr double kLeastForStep = 2e6;
// The development data may take a share of what is left.
constexpr double kShareOfEvaluationData = 0.125;

[[noreturn]] void fail(const MemoryPlan& plan, const std::string& what) {
  throw Error(ErrorKind::config,
              fmt::format("[system] memory = \"{}\" is too little: the program takes about {}, the "
                          "parameters with gradients, moments and averages {}{}; give it more",
                          byte_size_text(plan.limit), byte_size_text(plan.program),
                          byte_size_text(plan.parameters), what));
}

}  // namespace

MemoryPlan plan_memory(const Config& values, const Language& nlp) {
  MemoryPlan plan;
  if (const auto limit = system_settings(values).memory) {
    plan.limit = static_cast<double>(limit->bytes);
  }
  plan.program = kProgram + vector_bytes(nlp);
  plan.parameters = trained_parameter_bytes(nlp);
  if (plan.limit == 0.0) return plan;
  plan.rest = plan.limit - plan.program - plan.parameters;
  if (plan.rest < kLeastForStep) fail(plan, "");
  plan.evaluation_data =
      std::min(plan.evaluation_data, static_cast<std::size_t>(kShareOfEvaluationData * plan.rest));
  return plan;
}

double memory_for_step(const MemoryPlan& plan, std::size_t held_examples) {
  if (plan.limit == 0.0) return 0.0;
  const double step = plan.rest - static_cast<double>(held_examples);
  if (step < kLeastForStep) {
    fail(plan, fmt::format(", the examples in memory {} (max_epochs = -1 streams them)",
                           byte_size_text(static_cast<double>(held_examples))));
  }
  return step;
}

}  // namespace weft
