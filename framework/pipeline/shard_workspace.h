// The memory of a shard while it is trained on; for the runner's own sources alone.
#pragma once

#include <any>
#include <cstddef>
#include <utility>
#include <vector>

#include "framework/nn/device_weights.h"
#include "framework/nn/gradients.h"
#include "framework/pipeline/shard_runner.h"

namespace weft {

// Memory and slots of a shard. Component i of the pipeline keeps its things at `kept[i]`.
struct ShardRunner::Workspace {
  explicit Workspace(const Language& nlp)
      : ctx(nlp.stream()), gradients(nlp.stream()), parts(nlp.stream()) {
    ctx.use(nlp.device_weights().get());
  }

  Context ctx;
  Gradients gradients;
  Losses losses;
  std::vector<std::any> kept;
  bool out_of_memory = false;
  // Of a shard that is run in parts: those that are done.
  Gradients parts;
  bool has_parts = false;

  void start(std::size_t components, DType gradient_type) {
    ctx.end_step();  // nothing is read any more for a pass that broke off
    gradients.clear();
    gradients.keep_as(gradient_type);
    losses.clear();
    kept.assign(components, {});
  }
  // The gradient of a part joins those of the parts before.
  void take_part() {
    if (!has_parts) {
      std::swap(parts, gradients);
    } else {
      const Gradients* const part[] = {&gradients};
      parts.add(part);
    }
    has_parts = true;
  }
  // Of the whole shard.
  Gradients& sum() { return has_parts ? parts : gradients; }
};

// Of the documents, in tokens.
std::vector<std::size_t> lengths_of(std::span<Example* const> examples);

}  // namespace weft
