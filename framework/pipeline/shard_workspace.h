// The memory of a shard while it is trained on; for the runner's own sources alone.
#pragma once

#include <any>
#include <cstddef>
#include <vector>

#include "framework/nn/device_weights.h"
#include "framework/pipeline/shard_runner.h"

namespace weft {

// Memory and slots of a shard. Component i of the pipeline keeps its things at `kept[i]`.
struct ShardRunner::Workspace {
  explicit Workspace(const Language& nlp) : ctx(nlp.stream()), gradients(nlp.stream()) {
    ctx.use(nlp.device_weights().get());
  }

  Context ctx;
  Gradients gradients;
  Losses losses;
  std::vector<std::any> kept;
  bool out_of_memory = false;

  void start(std::size_t components, DType gradient_type) {
    ctx.end_step();  // nothing is read any more for a pass that broke off
    gradients.clear();
    gradients.keep_as(gradient_type);
    losses.clear();
    kept.assign(components, {});
  }
};

// Of the documents, in tokens.
std::vector<std::size_t> lengths_of(std::span<Example* const> examples);

}  // namespace weft
