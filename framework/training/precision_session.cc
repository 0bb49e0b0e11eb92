#include "framework/training/precision_session.h"

#include <utility>

#include <fmt/format.h>

#include "framework/pipeline/choose_device.h"
#include "framework/pipeline/loss_error.h"
#include "framework/pipeline/number_formats.h"
#include "framework/precision/capability.h"
#include "framework/precision/checkpoint.h"
#include "framework/precision/element_type.h"
#include "framework/tensor/open_backend.h"
#include "framework/training/divergence_report.h"
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

// The constants that the optimizer adds to elements or compares them with.
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

}  // namespace

PrecisionSession::PrecisionSession(const PrecisionPolicy& policy, Language& nlp,
                                   ShardRunner& runner, Optimizer& optimizer, Say say)
    : policy_(policy), nlp_(nlp), runner_(runner), optimizer_(optimizer), say_(std::move(say)) {
  check_components(policy_, nlp_);
  Notices notices = policy_.notices;
  const Notices device = check_device(policy_, properties_of(device_of(nlp_)));
  if (has_errors(device)) {
    throw Error(ErrorKind::config, problems_of(device, "training.precision"));
  }
  notices.insert(notices.end(), device.begin(), device.end());
  // Moments of 16 bits need an eps that is not lost beside them.
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
  optimizer_.write_copies(nullptr);
  if (formats_) formats_->widen_weights();
  nlp_.set_formats(nullptr);
  runner_.set_loss_scale(1.0F);
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
  optimizer_.write_copies(formats_ ? &formats_->copies() : nullptr);
}

void PrecisionSession::start_step() {
  if (formats_) {
    for (const Notice& notice : formats_->take_notices()) say_(notice);
  }
  runner_.set_loss_scale(scaler_ ? scaler_->scale() : 1.0F);
}

// An overflow shows as an infinity or a NaN in the gradients as they came, which is looked for
// before the scale is taken out.
StepGradients PrecisionSession::unscale() {
  if (!skips_steps()) return {GradientStatus::finite, {}};
  losses_.must_stop(0.0);  // they are finite, or nobody would ask
  tell_early_readers();
  runner_.gradients().mark_scaled(false);
  return weft::unscale(runner_.context(), runner_.parameters(), runner_.gradients(),
                       scaler_->inverse_scale(), runner_.tasks());
}

void PrecisionSession::tell_early_readers() {
  std::set<std::string> readers = runner_.take_early_readers();
  if (runner_.gradients().take_early_read()) readers.insert("a caller of ShardRunner::gradients");
  for (const std::string& reader : readers) {
    if (told_.insert(reader).second) say_(notices::read_scaled_gradients(reader));
  }
}

void PrecisionSession::applied() {
  if (!skips_steps()) return;
  watch_.step_applied();
  constexpr GradientStatus finite = GradientStatus::finite;
  const ScaleUpdate update = scaler_->update({&finite, 1});
  if (update.scale_after > update.scale_before) {
    say_(notices::scale_grew(update.scale_before, update.scale_after,
                             scaler_->settings().growth_interval));
  }
}

RankScale PrecisionSession::scale() const {
  if (!scaler_) return {};
  return {scaler_->state().scale, scaler_->state().growth_tracker};
}

void PrecisionSession::skip(const StepBatch& batch, const StepGradients& gradients) {
  const auto step = static_cast<std::int64_t>(batch.number);
  if (gradients.status == GradientStatus::none) {  // neither skipped nor applied
    if (!told_of_no_gradients_) say_(notices::no_gradients(step));
    told_of_no_gradients_ = true;
    return;
  }
  const ScaleUpdate update = scaler_->update({&gradients.status, 1});
  clear_after_skip();
  const bool must_know =
      update.diverged && policy_.settings.on_divergence == OnDivergence::fallback_layer;
  std::string origin;
  if (watch_.wants_replay(gradients.bad) || must_know) origin = find_origin(batch, false);
  say_(notices::overflow(step, update.scale_before, update.scale_after, gradients.bad.size(),
                         gradients.bad.front(), origin.empty() ? "not looked for" : origin,
                         scaler_->state().skipped_in_a_row));
  if (update.diverged) diverge(origin);
}

// Whether a step that was skipped moves the schedules of the optimizer is a setting
// (schedules_on_skip).
void PrecisionSession::clear_after_skip() {
  runner_.gradients().clear();
  if (clocks_moved(false, policy_.settings.schedules_on_skip).schedules) optimizer_.advance();
}

// With the scale of the step that overflowed.
std::string PrecisionSession::find_origin(const StepBatch& batch, bool forward) {
  OriginFinder finder;
  try {
    const ShardRunner::Watch watch(runner_, finder);
    run_shards(runner_, batch);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::diverged) throw;
  }
  runner_.gradients().clear();
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

// The rest of the run is in f32: weights are widened once, and there is no scale any more.
void PrecisionSession::continue_at_o0() {
  fell_to_o0_ = true;
  if (formats_) formats_->widen_weights();
  policy_ = at_o0(policy_);
  follow(nullptr);
  make_scaler();
  runner_.set_loss_scale(1.0F);
}

// A loss that is no number is no matter of scaling.
void PrecisionSession::skip_for_loss(const StepBatch& batch, const LossError& error) {
  const auto step = static_cast<std::int64_t>(batch.number);
  clear_after_skip();
  scaler_->skip_for_loss();
  const std::string layer = find_origin(batch, true);
  say_(notices::bad_loss(error.loss(), step, layer.empty() ? "none" : layer,
                         list_documents(batch.examples)));
  if (!losses_.must_stop(error.loss())) return;
  throw Error(
      ErrorKind::diverged,
      fmt::format("training diverged in step {}: {}, as in the two steps before; nothing of "
                  "them was applied; a lower learn_rate may help",
                  step, error.message()));
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
  if (is_o0(policy_) && !skips_steps() && !fell_to_o0_) return {};
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

// A checkpoint of another level may be continued: the weights are those of the masters in f32 where
// it has them, and the user is told.
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
