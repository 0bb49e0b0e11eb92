#include "framework/training/precision_session.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "framework/pipeline/choose_device.h"
#include "framework/pipeline/number_formats.h"
#include "framework/precision/capability.h"
#include "framework/precision/checkpoint.h"
#include "framework/precision/element_type.h"
#include "framework/precision/unscale.h"
#include "framework/tensor/open_backend.h"
#include "framework/training/device_gradients.h"
#include "framework/training/gradient_norm.h"
#include "framework/training/overflow_origin.h"
#include "registry/base/error.h"

namespace weft {
namespace {

bool is_o0(const PrecisionPolicy& policy) {
  return policy.cast_mode() == CastMode::none && !policy.tf32;
}

bool is_scaled(const PrecisionPolicy& policy) {
  return policy.dynamic_scale || policy.loss_scale != 1.0;
}

void check_components(const PrecisionPolicy& policy, const Language& nlp) {
  if (!is_scaled(policy)) return;
  for (const NamedComponent& component : nlp.pipeline()) {
    const Component& one = *component.component;
    if (!component.enabled || !one.is_trainable() || one.scales_gradients()) continue;
    throw Error(
        ErrorKind::config,
        fmt::format("component '{}' does not scale the gradients of its loss, as {} with {} needs; "
                    "set [training.precision] loss_scale to 1.0, dtype to \"bf16\", or level to O0",
                    component.name, name_of(policy.level), name_of(policy.low)));
  }
}

// What the optimizer adds to numbers or compares them with.
Notices check_constants(const PrecisionPolicy& policy, const Optimizer& optimizer) {
  const OptimizerSettings& settings = optimizer.settings();
  Notices found;
  for (const auto& [key, value] :
       {std::pair("training.optimizer.eps", optimizer.eps()),
        std::pair("training.optimizer.L2", settings.l2(0)),
        std::pair("training.optimizer.grad_clip", settings.grad_clip(0)),
        std::pair("training.precision.grad_norm", policy.settings.grad_norm)}) {
    const Notices more = check_constant(policy, key, value);
    found.insert(found.end(), more.begin(), more.end());
  }
  return found;
}

PrecisionPolicy at_o0(const PrecisionPolicy& policy) {
  PrecisionSettings settings;
  settings.grad_norm = policy.settings.grad_norm;
  settings.check_gradients = policy.settings.check_gradients;
  return make_precision_policy(settings);
}

bool is_all_finite(std::span<const float> numbers) {
  return std::all_of(numbers.begin(), numbers.end(), [](float x) { return std::isfinite(x); });
}

template <class T>
std::span<const T> numbers_of(ConstView view) {
  return {static_cast<const T*>(view.data), static_cast<std::size_t>(view.size())};
}

}  // namespace

PrecisionSession::PrecisionSession(const PrecisionPolicy& policy, Language& nlp, Updater& updater,
                                   Optimizer& optimizer, Say say)
    : policy_(policy), nlp_(nlp), updater_(updater), optimizer_(optimizer), say_(std::move(say)) {
  check_components(policy_, nlp_);
  Notices notices = policy_.notices;
  const Notices device = check_device(policy_, properties_of(device_of(nlp_)));
  if (has_errors(device)) {
    throw Error(ErrorKind::config, problems_of(device, "training.precision"));
  }
  notices.insert(notices.end(), device.begin(), device.end());
  const double eps = optimizer_eps(policy_, optimizer_.eps(), notices);
  if (storage_of(policy_).moments == Stored::low) {
    optimizer_.keep_low_moments(dtype_of(policy_.low), eps);
  }
  const Notices constants = check_constants(policy_, optimizer_);
  notices.insert(notices.end(), constants.begin(), constants.end());
  for (const Notice& notice : notices) say_(notice);
  make_scaler();
  if (!is_o0(policy_)) follow(make_formats(policy_, nlp_));
}

PrecisionSession::~PrecisionSession() {
  if (formats_) formats_->widen_weights();
  nlp_.set_formats(nullptr);
  updater_.set_loss_scale(1.0F);
}

// A run that only skips has a scale of 1: it counts.
void PrecisionSession::make_scaler() {
  scaler_.reset();
  if (const auto settings = policy_.scaling()) {
    scaler_.emplace(*settings);
  } else if (policy_.settings.check_gradients) {
    scaler_.emplace(
        LossScalerSettings{.dynamic = false,
                           .init_scale = 1.0,
                           .max_consecutive_skips = policy_.settings.max_consecutive_skips});
  }
}

void PrecisionSession::follow(std::shared_ptr<RunFormats> formats) {
  formats_ = std::move(formats);
  if (formats_) formats_->narrow_weights();
  nlp_.set_formats(formats_);
}

bool PrecisionSession::is_plain() const {
  return !policy_.skips_non_finite_gradients();
}

// A number that is not finite ends the run.
Losses PrecisionSession::take_plain(const Step& step) {
  const Losses losses = step.accumulate();
  call_hooks();
  apply();
  return losses;
}

Losses PrecisionSession::take(const Step& step) {
  if (formats_) {
    for (const Notice& notice : formats_->take_notices()) say_(notice);
  }
  if (is_plain()) return take_plain(step);
  begin();
  Losses losses;
  try {
    losses = step.accumulate();
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::diverged) throw;
    skip_for_loss(step, error.message());
    return {};
  }
  losses_.must_stop(0.0);
  Found found = unscale(scaler_->inverse_scale());
  if (found.status == GradientStatus::finite && !hooks_leave_finite()) {
    found.status = GradientStatus::non_finite;
    found.bad = {"a gradient hook's"};
  }
  finish(step, std::move(found));
  return losses;
}

// One pass over all gradients: looked at as they came, then multiplied.
PrecisionSession::Found PrecisionSession::unscale(float inverse) {
  Found found;
  Gradients& gradients = updater_.gradients();
  tell_early_readers();
  gradients.mark_scaled(false);
  if (gradients.on_device()) return unscale_there(inverse);
  for (const NamedParameter& named : updater_.parameters()) {
    const ConstView kept = gradients.kept(*named.parameter);
    if (kept.size() == 0) continue;
    if (found.status == GradientStatus::none) found.status = GradientStatus::finite;
    const bool finite =
        is_low(kept.dtype) ? is_all_finite(format_of(kept.dtype), numbers_of<std::uint16_t>(kept))
                           : check_and_unscale(gradients.numbers(*named.parameter), inverse).finite;
    if (finite) continue;
    found.bad.push_back(named.name);
    found.status = GradientStatus::non_finite;
  }
  // In 16 bits small numbers would be lost by it: those are multiplied when they are used.
  if (is_low(gradients.type())) gradients.scale(inverse);
  return found;
}

void PrecisionSession::tell_early_readers() {
  std::set<std::string> readers = updater_.take_early_readers();
  if (updater_.gradients().take_early_read()) readers.insert("a caller of Updater::gradients");
  for (const std::string& reader : readers) {
    if (told_.insert(reader).second) say_(notices::read_scaled_gradients(reader));
  }
}

PrecisionSession::Found PrecisionSession::unscale_there(float inverse) {
  UnscaledGradients unscaled =
      unscale_on_device(updater_.context(), updater_.parameters(), updater_.gradients(), inverse);
  Found found{.status = GradientStatus::none, .bad = std::move(unscaled.bad)};
  if (unscaled.any) found.status = GradientStatus::finite;
  if (!found.bad.empty()) found.status = GradientStatus::non_finite;
  return found;
}

// Those of a device are brought to the host and back.
void PrecisionSession::call_hooks() {
  Gradients& gradients = updater_.gradients();
  if (hooks_.empty()) return;
  if (!gradients.on_device()) {
    for (const GradientHook& hook : hooks_) hook(updater_.parameters(), gradients);
    return;
  }
  Gradients host = gradients.on_host();
  for (const GradientHook& hook : hooks_) hook(updater_.parameters(), host);
  gradients.take(host);
}

bool PrecisionSession::hooks_leave_finite() {
  if (hooks_.empty()) return true;
  call_hooks();
  Gradients there = updater_.gradients().on_device() ? updater_.gradients().on_host() : Gradients();
  Gradients& gradients = updater_.gradients().on_device() ? there : updater_.gradients();
  const auto parameters = updater_.parameters();
  return std::all_of(parameters.begin(), parameters.end(), [&](const NamedParameter& named) {
    return is_all_finite(gradients.numbers(*named.parameter));
  });
}

void PrecisionSession::apply() {
  const double most = policy_.settings.grad_norm;
  if (updater_.gradients().on_device()) {
    clip_on_device(updater_.context(), updater_.parameters(), updater_.gradients(), most);
  } else {
    clip_globally(updater_.parameters(), updater_.gradients(), most);
  }
  updater_.apply(optimizer_);
}

void PrecisionSession::finish(const Step& step, Found found) {
  if (found.status == GradientStatus::none) {
    if (!told_of_no_gradients_) say_(notices::no_gradients(step.number));
    told_of_no_gradients_ = true;
    updater_.gradients().clear();
    return;
  }
  if (found.status == GradientStatus::finite) {
    apply();
    watch_.step_applied();
    const ScaleUpdate update = scaler_->update({&found.status, 1});
    if (update.scale_after > update.scale_before) {
      say_(notices::scale_grew(update.scale_before, update.scale_after,
                               scaler_->settings().growth_interval));
    }
    return;
  }
  skip(step, found, scaler_->update({&found.status, 1}));
}

void PrecisionSession::skip(const Step& step, const Found& found, const ScaleUpdate& update) {
  clear_after_skip();
  const bool must_know =
      update.diverged && policy_.settings.on_divergence == OnDivergence::fallback_layer;
  std::string origin;
  if (watch_.wants_replay(found.bad) || must_know) origin = find_origin(step, false);
  say_(notices::overflow(step.number, update.scale_before, update.scale_after, found.bad.size(),
                         found.bad.front(), origin.empty() ? "not looked for" : origin,
                         scaler_->state().skipped_in_a_row));
  if (update.diverged) diverge(origin);
}

void PrecisionSession::clear_after_skip() {
  updater_.gradients().clear();
  if (clocks_moved(false, policy_.settings.schedules_on_skip).schedules) optimizer_.advance();
}

// With the scale of the step that overflowed.
std::string PrecisionSession::find_origin(const Step& step, bool forward) {
  OriginFinder finder;
  updater_.observe(&finder);
  try {
    step.accumulate();
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::diverged) throw;
  }
  updater_.observe(nullptr);
  updater_.gradients().clear();
  return forward ? finder.first_bad_output() : finder.overflow();
}

void PrecisionSession::diverge(const std::string& origin) {
  // At O0 there is nothing to fall back to.
  const OnDivergence setting = is_o0(policy_) ? OnDivergence::stop : policy_.settings.on_divergence;
  const DivergenceResponse response = respond_to_divergence(setting, *scaler_, origin);
  if (response.action == DivergenceAction::stop) {
    throw Error(ErrorKind::diverged, response.notice.str());
  }
  say_(response.notice);
  if (response.action == DivergenceAction::run_in_f32) return continue_at_o0();
  if (formats_) formats_->compute_in_f32(response.layer);
}

void PrecisionSession::continue_at_o0() {
  fell_to_o0_ = true;
  if (formats_) formats_->widen_weights();
  policy_ = at_o0(policy_);
  follow(nullptr);
  make_scaler();
  updater_.set_loss_scale(1.0F);
}

// A loss that is no number is no matter of scaling.
void PrecisionSession::skip_for_loss(const Step& step, const std::string& what) {
  clear_after_skip();
  scaler_->skip_for_loss();
  const double loss = what.find("inf") != std::string::npos ? INFINITY : NAN;
  const std::string layer = find_origin(step, true);
  say_(notices::bad_loss(loss, step.number, layer.empty() ? "none" : layer, step.batch()));
  if (!losses_.must_stop(loss)) return;
  throw Error(
      ErrorKind::diverged,
      fmt::format("training diverged in step {}: {}, as in the two steps before; nothing of "
                  "them was applied; a lower learn_rate may help",
                  step.number, what));
}

void PrecisionSession::evaluate(const std::function<void()>& action) {
  if (!formats_ || policy_.settings.eval_level == EvalLevel::same) return action();
  const bool was_low = formats_->has_low_weights();
  formats_->widen_weights();
  nlp_.set_formats(nullptr);
  const auto restore = [&] {
    nlp_.set_formats(formats_);
    if (was_low) formats_->narrow_weights();
  };
  try {
    action();
  } catch (...) {
    restore();
    throw;
  }
  restore();
}

DType PrecisionSession::save_type() const {
  switch (policy_.settings.save_dtype) {
    case SaveFormat::fp16:
      return DType::f16;
    case SaveFormat::bf16:
      return DType::bf16;
    case SaveFormat::f32:
      break;
  }
  return DType::f32;
}

Object PrecisionSession::log_line() const {
  if (is_o0(policy_) && is_plain() && !fell_to_o0_) return {};
  Object line;
  line.set("level", std::string(name_of(policy_.level)));
  const bool wide_scores = policy_.settings.eval_level == EvalLevel::O0 && !is_o0(policy_);
  if (wide_scores) line.set("eval_level", "O0");
  line.set("scale", scaler_ ? static_cast<double>(scaler_->scale()) : 1.0);
  line.set("skipped", scaler_ ? scaler_->state().skipped_total : std::int64_t{0});
  return line;
}

Node PrecisionSession::state() const {
  if (log_line().empty()) return nullptr;
  Object saved = save_precision(policy_, scaler());
  if (fell_to_o0_) saved.set("fell_to_O0", true);
  return saved;
}

void PrecisionSession::restore(const Node& saved) {
  if (saved.is_null()) {  // of a run at O0
    if (!log_line().empty()) {
      say_(notices::resumed_at_other_level("O0", name_of(policy_.level), "masters",
                                           fmt::format("{}", scaler_ ? scaler_->scale() : 1.0F)));
    }
    return;
  }
  if (!saved.is_object()) throw Error(ErrorKind::data, "the precision state is no object");
  const Node* fell = saved.as_object().find("fell_to_O0");
  if (fell != nullptr && fell->is_bool() && fell->as_bool()) return continue_at_o0();
  ResumedPrecision resumed = resume_precision(saved.as_object(), policy_);
  for (const Notice& notice : resumed.notices) say_(notice);
  if (resumed.scaler) scaler_ = std::move(resumed.scaler);
  if (!scaler_ || !formats_) return;
  for (const std::string& layer : scaler_->state().fallback_layers) {
    formats_->compute_in_f32(layer);
  }
}

}  // namespace weft
