#include "framework/training/device_check.h"

#include <vector>

#include "framework/ops/elementwise.h"
#include "framework/ops/optimizer_arrays.h"
#include "framework/ops/pass_observer.h"
#include "framework/pipeline/choose_device.h"
#include "framework/pipeline/shard_runner.h"
#include "registry/base/error.h"

namespace weft {
namespace {

constexpr std::size_t kMostExamples = 10;
constexpr double kDropout = 0.1;  // so that masks are drawn too

std::vector<ExamplePtr> some_examples(const TrainingSetup& setup) {
  std::vector<ExamplePtr> examples;
  const auto stream = setup.train_corpus.open(setup.nlp);
  while (examples.size() < kMostExamples) {
    ExamplePtr example = stream->next();
    if (!example) break;
    examples.push_back(std::move(example));
  }
  return examples;
}

// The ops of the run itself, whatever the layers.
void require_own_ops(Context& ctx) {
  ctx.require<AddInPlace>();
  ctx.require<CopyRows>();
  ctx.require<GradientNorms>();
  ctx.require<StepArrays>();
}

}  // namespace

void check_device_ops(const TrainingSetup& setup) {
  if (device_of(setup.nlp).kind == DeviceKind::cpu) return;
  const auto seed = static_cast<std::uint64_t>(setup.settings.seed.value_or(0));
  ShardRunner runner(setup.nlp, setup.pool,
                     {.seed = seed,
                      .frozen = setup.settings.frozen_components,
                      .annotating = setup.settings.annotating_components});
  require_own_ops(runner.context());
  PassObserver nothing;  // one that is there makes layers give their names
  const ShardRunner::Watch watch(runner, nothing);
  const std::vector<ExamplePtr> kept = some_examples(setup);
  std::vector<Example*> examples;
  examples.reserve(kept.size());
  for (const ExamplePtr& example : kept) examples.push_back(example.get());
  try {
    runner.accumulate(examples, kDropout, 0);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::diverged) throw;  // the run knows what to do with those
  }
}

}  // namespace weft
