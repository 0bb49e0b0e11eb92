#include "framework/precision/notice.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace weft {

std::string Notice::str() const {
  return code.empty() ? text : fmt::format("{} [{}]", text, code);
}

bool has_errors(const Notices& notices) {
  return std::any_of(notices.begin(), notices.end(),
                     [](const Notice& notice) { return notice.severity == Severity::error; });
}

Problems problems_of(const Notices& notices, std::string_view path) {
  Problems problems;
  for (const Notice& notice : notices) {
    Problem& problem = problems.emplace_back();
    problem.severity = notice.severity;
    problem.kind =
        notice.severity == Severity::note ? ProblemKind::ignored : ProblemKind::validation;
    if (notice.severity == Severity::error) problem.reason = Reason::range;
    problem.path = notice.key.empty() ? std::string(path) : fmt::format("{}.{}", path, notice.key);
    problem.message = notice.str();
    problem.function = "amp.v1";
  }
  return problems;
}

namespace notices {
namespace {

// The codes are those of docs/precision.md, "Messages"; a text stands here alone.
Notice make(const char* code, Severity severity, std::string_view key, std::string text) {
  return {code, severity, "precision: " + std::move(text), std::string(key)};
}

}  // namespace

Notice unknown_level(std::string_view level) {
  return make("P001", Severity::error, "level",
              fmt::format("unknown level \"{}\"; use O0, O1, O2, O3 (letter O), fp32, tf32 or bf16",
                          level));
}

Notice weights_are_not_cast() {
  return make("P002", Severity::error, "cast_model_type",
              "O1 casts inputs of ops, not weights; cast_model_type must stay unset "
              "(use O2 or O3)");
}

Notice no_meaning_at_o1(std::string_view key) {
  return make("P003", Severity::error, key,
              fmt::format("{} has no meaning at O1, where weights are f32", key));
}

Notice patch_ops_belongs_to_o1() {
  return make("P004", Severity::error, "patch_ops", "patch_ops belongs to O1");
}

Notice scaling_not_needed(std::string_view format) {
  return make("P005", Severity::warning, "loss_scale",
              fmt::format("dynamic loss scaling is not needed with {}", format));
}

Notice fp16_without_scaling() {
  return make("P006", Severity::warning, "loss_scale",
              "fp16 without loss scaling; gradients below 6e-8 become zero");
}

Notice eps_raised(double from, double to) {
  return make("P007", Severity::warning, "optimizer_state",
              fmt::format("eps {} is not representable in 16-bit state; using {}", from, to));
}

Notice out_of_range(std::string_view key, std::string_view x, std::string_view rule) {
  return make("P008", Severity::error, key,
              fmt::format("{} = {} is out of range ({})", key, x, rule));
}

Notice undeclared_op(std::string_view op) {
  return make("P010", Severity::warning, "",
              fmt::format("op {} has no declared category; running in f32", op));
}

Notice late_op(std::string_view op) {
  return make("P011", Severity::error, "",
              fmt::format("op {} registered after the model was built", op));
}

Notice missing_kernel(std::string_view op, std::string_view format) {
  return make("P012", Severity::warning, "",
              fmt::format("op {} has no {} kernel; running in f32", op, format));
}

Notice padded(std::string_view layer, std::int64_t from, std::int64_t to) {
  return make("P041", Severity::note, "", fmt::format("{} padded {} -> {}", layer, from, to));
}

Notice own_format(std::string_view layer, std::string_view format) {
  return make("P061", Severity::note, "", fmt::format("{} sets its own dtype {}", layer, format));
}

Notice stale_copy(std::string_view parameter) {
  return make("P090", Severity::error, "",
              fmt::format("internal error: stale low copy of {}", parameter));
}

Notice not_supported(std::string_view gpu, std::string_view capability, std::string_view format,
                     std::string_view level, std::string_view least) {
  return make("P020", Severity::error, "level",
              fmt::format("{} (compute capability {}) does not support {} at {}; minimum {}", gpu,
                          capability, format, level, least));
}

Notice no_matrix_units(std::string_view gpu, std::string_view level) {
  return make("P021", Severity::warning, "level",
              fmt::format("{} has no fp16 matrix units; {} saves memory but may be slower than O0",
                          gpu, level));
}

Notice emulated_on_cpu(std::string_view format) {
  return make(
      "P023", Severity::note, "level",
      fmt::format("CPU backend emulates {}; results match the policy, speed does not", format));
}

Notice below_fp16(std::string_view key, double value) {
  return make("P050", Severity::warning, "",
              fmt::format("{} = {} is below the smallest fp16 value; applied in f32", key, value));
}

Notice beyond_fp16(std::string_view key, double value) {
  return make("P051", Severity::warning, "",
              fmt::format("{} = {} is beyond 65504; applied in f32", key, value));
}

Notice little_to_gain(int percent, std::string_view level, std::string_view largest_op,
                      int largest_percent) {
  return make("P070", Severity::note, "level",
              fmt::format("16-bit products are {} % of step time; {} cannot help much here "
                          "(largest: {} {} %)",
                          percent, level, largest_op, largest_percent));
}

Notice no_gradients(std::int64_t step) {
  return make("P022", Severity::warning, "", fmt::format("no gradients in step {}", step));
}

Notice bad_loss(double loss, std::int64_t step, std::string_view layer, std::string_view batch) {
  const char* what = std::isnan(loss) ? "nan" : "inf";
  return make("P024", Severity::warning, "",
              fmt::format("loss is {} at step {}; first non-finite output: {}; batch {}", what,
                          step, layer, batch));
}

Notice overflow(std::int64_t step, double from, double to, std::size_t tensors,
                std::string_view first, std::string_view origin, int in_a_row) {
  return make("P025", Severity::warning, "",
              fmt::format("overflow at step {}; scale {} -> {}; {} tensors, first {}, origin {}; "
                          "skipped {} in a row",
                          step, from, to, tensors, first, origin, in_a_row));
}

Notice diverged(int in_a_row, std::string_view what_now) {
  return make("P026", Severity::warning, "",
              fmt::format("{} skipped steps in a row; {}", in_a_row, what_now));
}

Notice scale_grew(double from, double to, int applied_steps) {
  return make("P027", Severity::note, "",
              fmt::format("scale {} -> {} after {} applied steps", from, to, applied_steps));
}

Notice resumed_at_other_level(std::string_view checkpoint, std::string_view run,
                              std::string_view weights_from, std::string_view scale) {
  return make("P030", Severity::warning, "level",
              fmt::format("checkpoint was {}, run is {}; weights taken from {}, scale {}",
                          checkpoint, run, weights_from, scale));
}

Notice beyond_saved_fp16(std::string_view parameter) {
  return make("P031", Severity::error, "save_dtype",
              fmt::format("{} has values beyond 65504; cannot save as fp16", parameter));
}

Notice read_scaled_gradients(std::string_view hook) {
  return make("P060", Severity::warning, "",
              fmt::format("{} read scaled gradients; register it as a gradient hook", hook));
}

Notice ranks_disagree(std::string_view scales) {
  return make("P040", Severity::error, "",
              fmt::format("ranks disagree on loss scale ({})", scales));
}

}  // namespace notices
}  // namespace weft
