#include "framework/nn/gradient_check.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include "framework/nn/gradients.h"
#include "registry/base/error.h"

namespace weft {

namespace {

Tensor rows_of(const Value& value) {
  if (const auto* ragged = std::get_if<Ragged>(&value)) return ragged->data;
  return as_tensor(value);
}

Value with_rows(const Value& like, Tensor rows) {
  if (const auto* ragged = std::get_if<Ragged>(&like))
    return Ragged{std::move(rows), ragged->lengths};
  return rows;
}

// One number out of all outputs: their sum with fixed random weights. Its gradient is the weights.
class Probe {
 public:
  Probe(Model& model, const Value& input, const GradientCheckOptions& options)
      : model_(model), input_(input), options_(options), masks_(options.seed, 0) {
    if (std::holds_alternative<Tensor>(input) || std::holds_alternative<Ragged>(input)) {
      rows_ = rows_of(input).clone();
      input_ = with_rows(input, rows_);
    }
  }

  // Summed in double precision: the differences that are taken of it are small beside the sum.
  double loss() {
    Gradients unused;
    const Tensor output = rows_of(run(unused).output);
    double sum = 0;
    const float* values = output.data<float>();
    for (std::int64_t i = 0; i < output.size(); ++i) sum += double{values[i]} * weight(i);
    ctx_.end_step();
    return sum;
  }

  // Fills `gradients`; gives that of the input (empty if the layer gives none).
  std::vector<float> backward(Gradients& gradients) {
    Forward forward = run(gradients);
    const Tensor output = rows_of(forward.output);
    Tensor d_output = ctx_.empty(output.shape());
    for (std::int64_t i = 0; i < output.size(); ++i) d_output.data<float>()[i] = weight(i);
    const Value d_input = forward.backward(ctx_, with_rows(forward.output, d_output));
    std::vector<float> result;
    if (d_input.index() != 0) {
      const Tensor rows = rows_of(d_input);
      result.assign(rows.data<float>(), rows.data<float>() + rows.size());
    }
    forward.backward = {};
    ctx_.end_step();
    return result;
  }

  // The input's own numbers, to be moved; empty for documents.
  std::span<float> input() {
    if (!rows_ || rows_.dtype() != DType::f32) return {};
    return {rows_.data<float>(), static_cast<std::size_t>(rows_.size())};
  }

 private:
  Forward run(Gradients& gradients) {
    ctx_.pass().train(options_.dropout, gradients, masks_);
    return model_(ctx_, input_);
  }
  // The weights are random because a plain sum would not do: that of a softmax is 1 whatever its
  // input, and a wrong gradient would not show.
  float weight(std::int64_t i) const {
    return RandomStream(options_.seed, 1, 1).uniform(static_cast<std::uint64_t>(i)) - 0.5F;
  }

  Model& model_;
  Value input_;
  GradientCheckOptions options_;
  Tensor rows_;
  CounterMasks masks_;
  Context ctx_;
};

// The slope of the probe along one number.
// A central difference, whose error falls with the square of the step. Divided by the distance of
// the numbers that f32 really holds, which is not quite twice the step.
double slope(Probe& probe, float& value, double step) {
  const float saved = value;
  value = saved + static_cast<float>(step);
  const double up = value, above = probe.loss();
  value = saved - static_cast<float>(step);
  const double down = value, below = probe.loss();
  value = saved;
  return (above - below) / (up - down);
}

// Moves numbers of one array and compares. A maximum or a rectification has a kink, and a
// difference across it says nothing: a second, shorter step decides then.
void compare(Probe& probe, std::span<float> values, std::span<const float> gradient,
             const std::string& name, const GradientCheckOptions& options,
             GradientCheckResult& result) {
  double largest = 1e-3;
  for (const float g : gradient) largest = std::max(largest, std::abs(double{g}));
  const std::size_t stride = std::max<std::size_t>(1, values.size() / options.most);
  for (std::size_t i = 0; i < values.size(); i += stride) {
    const double expected = gradient[i];
    double error = std::abs(slope(probe, values[i], options.step) - expected);
    if (error > result.worst * largest) {
      error = std::min(error, std::abs(slope(probe, values[i], options.step / 8) - expected));
    }
    if (error / largest > result.worst || std::isnan(error)) {
      result = {error / largest, name + "[" + std::to_string(i) + "]"};
    }
  }
}

}  // namespace

GradientCheckResult check_gradients(Model& model, const Value& input,
                                    const GradientCheckOptions& options) {
  Probe probe(model, input, options);
  Gradients gradients;
  const std::vector<float> d_input = probe.backward(gradients);
  GradientCheckResult result;
  for (Model* node : model.walk()) {
    for (const auto& parameter : node->params()) {
      if (!parameter->value) continue;
      const Tensor* gradient = gradients.find(*parameter);
      const Tensor values =
          gradient != nullptr ? *gradient : Tensor::zeros(parameter->value.shape());
      const auto size = static_cast<std::size_t>(values.size());
      compare(probe, {parameter->value.data<float>(), size}, {values.data<float>(), size},
              node->name() + "." + parameter->name, options, result);
    }
  }
  if (!d_input.empty()) {
    if (probe.input().size() != d_input.size()) {
      throw Error(ErrorKind::internal, "the gradient of the input has another size than the input");
    }
    compare(probe, probe.input(), d_input, "input", options, result);
  }
  return result;
}

}  // namespace weft
