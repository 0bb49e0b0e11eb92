#include "framework/nn/run_formats.h"

#include <utility>

#include "framework/nn/device_weights.h"
#include "framework/nn/model.h"
#include "framework/precision/element_type.h"
#include "registry/base/error.h"

namespace weft {
namespace {

OpRule::Input input_of(FormatRule rule) {
  switch (rule) {
    case FormatRule::f32:
      return OpRule::Input::f32;
    case FormatRule::low:
      return OpRule::Input::low;
    case FormatRule::error:
      return OpRule::Input::refused;
    case FormatRule::input:
    case FormatRule::widest:  // the arithmetic is f32, and so is what is widest or given as it is
      break;
  }
  return OpRule::Input::keep;
}

OpRule::Result result_of(FormatRule rule) {
  switch (rule) {
    case FormatRule::low:
      return OpRule::Result::low;
    case FormatRule::widest:
      return OpRule::Result::widest;
    case FormatRule::input:
      return OpRule::Result::first;
    case FormatRule::f32:
    case FormatRule::error:
      break;
  }
  return OpRule::Result::f32;
}

}  // namespace

RunFormats::RunFormats(PrecisionPolicy policy)
    : policy_(std::move(policy)), copies_(dtype_of(policy_.low)) {
  for (const KernelSlot* op : kernel_slots()) ops_.insert(op->name);
}

bool RunFormats::casts() const {
  return policy_.cast_mode() != CastMode::none || policy_.tf32;
}

bool RunFormats::casts_ends_of(const Model& layer) const {
  return policy_.cast_mode() == CastMode::whole_model && roots_.contains(&layer);
}

DType RunFormats::output_type() const {
  return policy_.settings.cast_model_outputs == Width::low ? low() : DType::f32;
}

DType RunFormats::gradient_type() const {
  return storage_of(policy_).param_grads == Stored::low ? low() : DType::f32;
}

void RunFormats::add(Model& root) {
  roots_.insert(&root);
  if (policy_.cast_mode() == CastMode::none) return;
  for (Model* node : root.walk()) {
    for (const auto& parameter : node->params()) {
      const bool low = is_low(parameter_format(policy_, parameter->kind));
      // At O1 an op casts what it takes, whatever the weight is.
      if (policy_.cast_mode() == CastMode::whole_model && !low) continue;
      tracked_.push_back(parameter.get());
      copies_.track(*parameter, node->path() + "." + parameter->name);
    }
  }
}

void RunFormats::fetch_weights() const {
  if (device_) device_->fetch();
}

// The newest numbers may be on the device: they are fetched before they are rounded. The version
// grows, so that every copy knows that it is out of date.
void RunFormats::narrow_weights() {
  if (policy_.cast_mode() != CastMode::whole_model || policy_.master_weights.value_or(false)) {
    return;
  }
  for (Parameter* parameter : tracked_) {
    if (!parameter->value || parameter->value.dtype() != DType::f32) continue;
    fetch_weights();
    parameter->value = cast_to(low(), parameter->value);
    ++parameter->version;
  }
  has_low_weights_ = true;
  copies_.refresh();
}

void RunFormats::widen_weights() {
  for (Parameter* parameter : tracked_) {
    if (!is_low(parameter->value.dtype())) continue;
    fetch_weights();
    parameter->value = cast_to(DType::f32, parameter->value);
    ++parameter->version;
  }
  has_low_weights_ = false;
  copies_.refresh();
}

OpRule RunFormats::rule_for(const OpPolicy& op, Compute compute) const {
  const CastMode mode = policy_.cast_mode();
  const OpFormats formats = formats_of(op, policy_, compute);
  OpRule rule{.input = input_of(formats.input), .result = result_of(formats.output)};
  if (formats.match_first) rule.input = OpRule::Input::first;
  if (mode == CastMode::whole_model) {
    // GEMMs take 16 bits whatever they are given: gradients of f32 losses among it.
    const bool is_gemm = op.category == Category::low && compute != Compute::f32;
    if (is_gemm && !op.always_f32) rule.input = OpRule::Input::low;
    rule.low_weights = rule.input != OpRule::Input::f32;
    rule.wide_gradients = compute == Compute::f32;
  } else if (mode == CastMode::per_op) {
    rule.low_weights = rule.input == OpRule::Input::low;
  }
  // GEMMs whose inputs are f32 at all: at O0 all, elsewhere those of layers that compute in f32.
  const bool wide = mode == CastMode::none || rule.input == OpRule::Input::f32;
  if (policy_.tf32 && op.category == Category::low && wide) rule.input = OpRule::Input::tf32;
  return rule;
}

// Called by several threads while a pass runs. An op without a kernel for the format follows the
// rule of an undeclared one, which is f32, and is told of once.
OpRule RunFormats::rule_of(const OpTraits& op, std::string_view layer) {
  if (!ops_.contains(op.name)) throw Error(ErrorKind::config, notices::late_op(op.name).str());
  const bool lacks = lacks_kernel(op, policy_, op.formats);
  if (lacks || !op.declared) note_once(op, lacks);
  const Compute compute =
      policy_.rules.empty() ? Compute::automatic : policy_.compute_of(std::string(layer));
  return rule_for(lacks ? undeclared_op(op.name) : OpPolicy(op), compute);
}

void RunFormats::note_once(const OpTraits& op, bool lacks_kernel) {
  if (policy_.cast_mode() == CastMode::none) return;
  const std::lock_guard lock(mutex_);
  if (!noted_.emplace(op.name).second) return;
  notices_.push_back(lacks_kernel ? notices::missing_kernel(op.name, name_of(policy_.low))
                                  : notices::undeclared_op(op.name));
}

void RunFormats::compute_in_f32(std::string layer) {
  policy_.rules.push_back({std::move(layer), Compute::f32});
}

Notices RunFormats::take_notices() {
  const std::lock_guard lock(mutex_);
  return std::exchange(notices_, {});
}

}  // namespace weft
