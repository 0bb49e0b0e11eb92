// Slots by which a component hands arrays to later ones while documents pass through the pipeline:
// the token vectors of a shared tok2vec and, in training, the backward pass for their gradient.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "framework/nn/value.h"
#include "framework/pipeline/retokenized_rows.h"
#include "registry/base/export.h"

namespace weft {

class Context;

// One object per shard (training) or group of documents (prediction); used by one thread at a time.
class WEFT_API Slots {
 public:
  // Sums gradients with the ops of that context, which outlives this, and in its memory. `trained`,
  // which outlives this too: has the outputs of components that do not publish theirs here.
  explicit Slots(Context& ctx, const Slots* trained = nullptr) : ctx_(ctx), trained_(trained) {}

  // Takes the summed gradient of all that listened; runs once, after the last listener.
  using Backward = std::function<void(const Value& gradient)>;

  // Is told of the gradient of each listener as it comes.
  using Hear = std::function<void(const Value& gradient)>;

  // The output of component `name` for the documents at hand, in their order. `backward` is empty
  // when nothing trains it (prediction, frozen components). Replaces an earlier output of that
  // name.
  struct Output {
    Value rows;
    Tokenizations tokens;  // of the documents; empty for an output that has no row for each token
  };
  void publish(std::string name, Output output, Backward backward = {}, Hear hear = {});

  // The output of component `name`, or of the latest one if `name` is "*"; null if there is none.
  const Output* output(std::string_view name) const;

  // Adds to the gradient of that output (shapes as published); dropped if it has no backward pass.
  void add_gradient(std::string_view name, const Value& gradient);

  // Runs the backward functions that received a gradient, latest output first.
  void run_backward();

 private:
  struct Slot {
    std::string name;
    Output output;
    Backward backward;
    Hear hear;
    std::optional<Value> gradient;
  };
  // Here alone.
  Slot* find(std::string_view name);
  const Slot* find(std::string_view name) const { return const_cast<Slots*>(this)->find(name); }
  Context& ctx_;
  const Slots* trained_;
  std::vector<Slot> slots_;
};

}  // namespace weft
