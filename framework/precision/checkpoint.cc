#include "framework/precision/checkpoint.h"

#include <cmath>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "registry/base/error.h"

namespace weft {
namespace {

constexpr int layout_version = 1;

[[noreturn]] void damaged(const std::string& what) {
  throw Error(ErrorKind::data, "the precision state of the checkpoint " + what);
}

const Node& required(const Object& saved, std::string_view key) {
  const Node* node = saved.find(key);
  if (node == nullptr) damaged(fmt::format("has no \"{}\"", key));
  return *node;
}

double number(const Object& saved, std::string_view key) {
  const Node& node = required(saved, key);
  if (node.is_float()) return node.as_float();
  if (const auto* integer = std::get_if<std::int64_t>(&node.value())) {
    return static_cast<double>(*integer);
  }
  damaged(fmt::format("has no number in \"{}\"", key));
}

std::int64_t count(const Object& saved, std::string_view key,
                   std::int64_t most = std::numeric_limits<std::int64_t>::max()) {
  const auto* integer = std::get_if<std::int64_t>(&required(saved, key).value());
  if (integer == nullptr || *integer < 0 || *integer > most) {
    damaged(fmt::format("has no count in \"{}\"", key));
  }
  return *integer;
}

int small_count(const Object& saved, std::string_view key) {
  return static_cast<int>(count(saved, key, std::numeric_limits<int>::max()));
}

float scale_in(const Object& saved, std::string_view key) {
  const auto scale = static_cast<float>(number(saved, key));
  if (!(scale > 0) || !std::isfinite(scale)) damaged("has a scale that is no positive number");
  return scale;
}

std::string text(const Object& saved, std::string_view key) {
  const Node& node = required(saved, key);
  if (!node.is_string()) damaged(fmt::format("has no text in \"{}\"", key));
  return node.as_string();
}

std::vector<std::string> layers_in(const Object& saved) {
  const Node& node = required(saved, "fallback_layers");
  if (!node.is_list()) damaged("has no list in \"fallback_layers\"");
  std::vector<std::string> layers;
  for (const Node& layer : node.as_list()) {
    if (!layer.is_string()) damaged("has no names in \"fallback_layers\"");
    layers.push_back(layer.as_string());
  }
  return layers;
}

LossScalerState state_in(const Object& saved) {
  LossScalerState state;
  state.scale = scale_in(saved, "scale");
  state.growth_tracker = small_count(saved, "growth_tracker");
  state.skipped_in_a_row = small_count(saved, "skipped_in_a_row");
  state.skipped_total = count(saved, "skipped_total");
  state.applied_total = count(saved, "applied_total");
  state.fallback_layers = layers_in(saved);
  return state;
}

bool was_dynamic(const Object& saved) {
  const Node* dynamic = saved.find("dynamic");
  return dynamic == nullptr || !dynamic->is_bool() || dynamic->as_bool();
}

void save_scaler(Object& saved, const LossScaler& scaler) {
  const LossScalerSettings& settings = scaler.settings();
  const LossScalerState& state = scaler.state();
  saved.set("dynamic", settings.dynamic);
  saved.set("scale", static_cast<double>(state.scale));
  saved.set("growth_tracker", state.growth_tracker);
  saved.set("growth_factor", settings.growth_factor);
  saved.set("backoff_factor", settings.backoff_factor);
  saved.set("growth_interval", settings.growth_interval);
  saved.set("min", settings.min_scale);
  saved.set("max", settings.max_scale);
  saved.set("skipped_total", state.skipped_total);
  saved.set("skipped_in_a_row", state.skipped_in_a_row);
  saved.set("applied_total", state.applied_total);
  List layers;
  for (const std::string& layer : state.fallback_layers) layers.emplace_back(layer);
  saved.set("fallback_layers", std::move(layers));
}

}  // namespace

Object save_precision(const PrecisionPolicy& policy, const LossScaler* scaler) {
  Object saved;
  saved.set("version", layout_version);
  saved.set("level", std::string(name_of(policy.level)));
  saved.set("dtype", std::string(name_of(policy.low)));
  saved.set("masters",
            policy.cast_mode() != CastMode::whole_model || policy.master_weights.value_or(false));
  if (scaler != nullptr) save_scaler(saved, *scaler);
  return saved;
}

ResumedPrecision resume_precision(const Object& saved, const PrecisionPolicy& policy) {
  if (count(saved, "version") != layout_version) damaged("is of an unknown version");
  const std::string level = text(saved, "level");
  ResumedPrecision resumed;
  const Node* masters = saved.find("masters");
  resumed.from_masters =
      masters != nullptr && masters->is_bool() ? masters->as_bool() : level != "O3";
  if (const auto settings = policy.scaling()) {
    resumed.scaler.emplace(*settings);
    if (saved.contains("scale")) {
      LossScalerState state = state_in(saved);
      // A fixed scale says nothing of how large a dynamic one may be, so that starts from its
      // beginning.
      const bool begins_anew = settings->dynamic && !was_dynamic(saved);
      if (!settings->dynamic || begins_anew) state.scale = resumed.scaler->scale();
      if (begins_anew) state.growth_tracker = 0;
      resumed.scaler->restore(std::move(state));
    }
  }
  if (level != name_of(policy.level)) {
    resumed.notices.push_back(notices::resumed_at_other_level(
        level, name_of(policy.level), resumed.from_masters ? "masters" : "weights",
        fmt::format("{}", resumed.scaler ? resumed.scaler->scale() : 1.0F)));
  }
  return resumed;
}

LossScaler resume_foreign_scaler(const Object& saved, LossScalerSettings settings) {
  LossScalerState state;
  if (const Node* apex = saved.find("loss_scaler0"); apex != nullptr && apex->is_object()) {
    state.scale = scale_in(apex->as_object(), "loss_scale");
    state.growth_tracker = small_count(apex->as_object(), "unskipped");
  } else {
    state.scale = scale_in(saved, "scale");
    state.growth_tracker = small_count(saved, "_growth_tracker");
    settings.growth_factor = number(saved, "growth_factor");
    settings.backoff_factor = number(saved, "backoff_factor");
    settings.growth_interval = small_count(saved, "growth_interval");
  }
  LossScaler scaler(settings);
  scaler.restore(std::move(state));
  return scaler;
}

}  // namespace weft
