// Loss scalers: PyTorch's and Apex's sequences.
#include <limits>
#include <map>

#include "framework/precision/checkpoint.h"
#include "framework/precision/loss_scaler.h"
#include "framework/precision/unscale.h"
#include "registry/value/config.h"
#include "tests/conformance/conformance_precision/replay.h"

namespace replay {
namespace {

using weft::GradientStatus;
using weft::LossScaler;
using weft::LossScalerSettings;

// Apex's rule: an upper bound always, a lower one if given; one factor both ways.
LossScalerSettings apex_settings(const json& params) {
  LossScalerSettings settings;
  settings.init_scale = number(params.at("init_scale"));
  settings.growth_factor = number(params.at("scale_factor"));
  settings.backoff_factor = 1.0 / settings.growth_factor;
  settings.growth_interval = params.at("scale_window");
  const json& least = params.at("min_loss_scale");
  settings.min_scale = least.is_null() ? 0.0 : number(least);
  settings.max_scale = number(params.at("max_loss_scale"));
  return settings;
}

// Three elements of one value; a word replaces the middle one of the scaled gradient.
std::vector<float> scaled_gradient(const json& token, float scale) {
  std::vector<float> gradient(3, token.is_string() ? scale : 0.0F);
  if (token.is_string()) {
    gradient[1] = static_cast<float>(number(token));
  } else {
    for (float& value : gradient) value = static_cast<float>(number(token)) * scale;
  }
  return gradient;
}

struct TraceStep {
  bool finite = true;
  weft::ScaleUpdate update;
  std::vector<float> unscaled;
};

TraceStep trace_step(LossScaler& scaler, const json& token) {
  TraceStep step;
  step.unscaled = scaled_gradient(token, scaler.scale());
  step.finite = weft::check_and_unscale(step.unscaled, scaler.inverse_scale());
  const GradientStatus status = status_of(step.finite);
  step.update = scaler.update({&status, 1});
  return step;
}

weft::Object object_of(const json& record) {
  weft::Object object;
  for (const auto& [key, value] : record.items()) {
    if (value.is_number_integer()) {
      object.set(key, value.get<std::int64_t>());
    } else {
      object.set(key, number(value));
    }
  }
  return object;
}

void check_pytorch_row(const json& row, const TraceStep& step, const LossScaler& scaler,
                       float weight, Faults& faults) {
  const std::string at = fmt::format(" at step {}", row.at("step").get<int>());
  const weft::LossScalerState& state = scaler.state();
  faults.expect_near(step.update.scale_before, number(row.at("scale_before")), 0.0,
                     "scale before" + at);
  faults.expect_near(step.update.scale_after, number(row.at("scale_after")), 0.0,
                     "scale after" + at);
  faults.expect(!step.finite, row.at("found_inf").get<bool>(), "found_inf" + at);
  faults.expect(step.update.result == weft::StepResult::applied, row.at("applied").get<bool>(),
                "applied" + at);
  faults.expect(state.growth_tracker, row.at("growth_tracker").get<int>(), "tracker" + at);
  faults.expect(state.applied_total, row.at("applied_total").get<std::int64_t>(),
                "applied in all" + at);
  faults.expect(state.skipped_total, row.at("skipped_total").get<std::int64_t>(),
                "skipped in all" + at);
  faults.expect_near(weight, number(row.at("param0")), 0.0, "weight" + at);
}

// The state that a loaded scaler goes on with; the totals are ours, PyTorch has none.
LossScaler reloaded(const json& resume, const LossScaler& scaler, Faults& faults) {
  const json& saved = resume.at("state_dict");
  const weft::LossScalerState before = scaler.state();
  LossScaler loaded = resume_foreign_scaler(object_of(saved), scaler.settings());
  faults.expect(loaded.state().scale, before.scale, "scale in the saved state");
  faults.expect(loaded.state().growth_tracker, before.growth_tracker, "tracker in the saved state");
  weft::LossScalerState state = loaded.state();
  state.applied_total = before.applied_total;
  state.skipped_total = before.skipped_total;
  loaded.restore(state);
  return loaded;
}

// Calls `each` with the number of every step of the script and its gradient, and `end` after each
// segment.
template <class Each, class End>
void run_script(const json& script, Each&& each, End&& end) {
  int step = 0;
  int segment = 0;
  for (const json& part : script) {
    for (int i = 0; i < part.at(1).get<int>(); ++i) each(++step, part.at(0));
    end(segment++);
  }
}

std::map<int, json> rows_by_step(const json& record) {
  std::map<int, json> rows;
  for (const json& row : record.at("rows")) rows[row.at("step")] = row;
  return rows;
}

void check_pytorch_trace(const json& record, Tally& tally) {
  constexpr float rate = 0.125F;
  LossScaler scaler(pytorch_settings(record.at("params")));
  const auto rows = rows_by_step(record);
  Faults faults;
  float weight = 0.0F;
  const auto each = [&](int number_of_step, const json& token) {
    const TraceStep step = trace_step(scaler, token);
    if (step.finite) weight -= rate * step.unscaled[0];
    const auto row = rows.find(number_of_step);
    if (row != rows.end()) check_pytorch_row(row->second, step, scaler, weight, faults);
  };
  run_script(record.at("script"), each, [&](int segment) {
    if (!record.contains("resume")) return;
    if (record.at("resume").at("after_segment").get<int>() != segment) return;
    scaler = reloaded(record.at("resume"), scaler, faults);
  });
  tally.record("scaler_traces " + record.at("name").get<std::string>(), faults);
}

void check_apex_row(const json& row, const TraceStep& step, const LossScaler& scaler,
                    Faults& faults) {
  const std::string at = fmt::format(" at step {}", row.at("step").get<int>());
  faults.expect_near(step.update.scale_before, number(row.at("scale_before")), 0.0,
                     "scale before" + at);
  faults.expect_near(step.update.scale_after, number(row.at("scale_after")), 0.0,
                     "scale after" + at);
  faults.expect(step.update.result == weft::StepResult::skipped, row.at("skipped").get<bool>(),
                "skipped" + at);
  faults.expect(scaler.state().growth_tracker, row.at("unskipped").get<int>(), "unskipped" + at);
  if (!step.finite) return;  // Apex leaves zeros, we leave what the scale makes of the rest
  const std::vector<float> master = floats(row.at("master"));
  for (std::size_t i = 0; i < master.size(); ++i) {
    faults.expect(step.unscaled.at(i), master[i], "unscaled gradient" + at);
  }
}

void check_apex_trace(const json& record, Tally& tally) {
  const std::string name = "apex_scaler_traces " + record.at("name").get<std::string>();
  if (record.at("params").at("loss_scale") != "dynamic") {
    tally.skip(name, "comparison: with a fixed scale Apex does not skip, we do");
    return;
  }
  LossScaler scaler(apex_settings(record.at("params")));
  const auto rows = rows_by_step(record);
  Faults faults;
  const auto each = [&](int number_of_step, const json& token) {
    const TraceStep step = trace_step(scaler, token);
    const auto row = rows.find(number_of_step);
    if (row != rows.end()) check_apex_row(row->second, step, scaler, faults);
  };
  run_script(record.at("script"), each, [](int) {});
  tally.record(name, faults);
}

}  // namespace

void replay_scaler_traces(const std::filesystem::path& folder, Tally& tally) {
  for_each_record(folder / "scaler_traces.json", "cases", tally,
                  [&](const json& record) { check_pytorch_trace(record, tally); });
  for_each_record(folder / "apex_scaler_traces.json", "cases", tally,
                  [&](const json& record) { check_apex_trace(record, tally); });
}

}  // namespace replay
