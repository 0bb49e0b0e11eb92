// A step of a run once more, without changing anything: what its batch holds and what it gives.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "framework/pipeline/batch.h"
#include "framework/pipeline/component.h"
#include "registry/functions/catalogue.h"
#include "registry/value/config.h"

namespace weft {

struct ParameterReport {
  std::string name;  // "ner/3/linear/W"
  double largest_value = 0.0;
  double gradient_norm = 0.0;      // of the numbers that are finite
  std::int64_t bad_values = 0;     // NaN or infinite, in the parameter
  std::int64_t bad_gradients = 0;  // the same in its gradient
};

struct ReplayedStep {
  std::int64_t step = 0;
  std::int64_t epoch = 0;
  std::vector<ExamplePtr>
      batch;             // in the order in which it is trained on; empty: the data has ended
  Losses losses;         // empty where one is no number
  std::string bad_loss;  // says which
  std::vector<ParameterReport> parameters;
  std::string bad_step;  // says which parameter the optimizer's step fails in; "" if in none
};

// The step that comes next from a checkpoint, on the CPU, with dropout and random numbers as in the
// run. `config` is filled and keeps its variables; it may differ from the run's where a resumed
// run's may. Throws as open_checkpoint does, Error(data) where the data is not the run's.
WEFT_API ReplayedStep replay_step(const std::filesystem::path& checkpoint, const Config& config,
                                  const Catalogue& catalogue, int threads);

}  // namespace weft
