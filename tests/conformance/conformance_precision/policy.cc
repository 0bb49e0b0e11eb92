// The table of levels, what is refused, warned of and accepted, and the formats of every op.
#include <fstream>
#include <map>

#include "framework/precision/plan.h"
#include "framework/precision/storage.h"
#include "registry/building/resolve.h"
#include "tests/conformance/conformance_precision/planned_ops.h"
#include "tests/conformance/conformance_precision/replay.h"

namespace replay {
namespace {

using weft::Level;
using weft::PrecisionPolicy;
using weft::Width;

constexpr Level levels[] = {Level::O0, Level::O1, Level::O2, Level::O3};

weft::Node node_of(const json& value) {
  if (value.is_null()) return {};
  if (value.is_boolean()) return value.get<bool>();
  if (value.is_number_integer()) return value.get<std::int64_t>();
  if (value.is_number()) return value.get<double>();
  return value.get<std::string>();
}

// The description of a setting's field has a code at its end: "... [P001]".
weft::Notice notice_of(const weft::Problem& problem) {
  const std::size_t open = problem.message.rfind('[');
  if (open == std::string::npos || !problem.message.ends_with(']')) {
    throw std::runtime_error("the block does not fit: " + problem.str());
  }
  const std::string code = problem.message.substr(open + 1, problem.message.size() - open - 2);
  return {code, problem.severity, problem.message, ""};
}

// Reads the block as the config system does: fields, defaults, conversions.
PrecisionPolicy policy_of(const weft::Object& block, weft::Notices& notices) {
  weft::Object root;
  root.set("precision", block);
  weft::Problems problems;
  const auto settings = weft::resolve_section<weft::PrecisionSettings>(
      weft::Config(root), "precision", weft::Catalogue(), problems);
  if (settings) return resolve_precision(*settings, notices);
  for (const weft::Problem& problem : problems) notices.push_back(notice_of(problem));
  return {};
}

PrecisionPolicy policy_of(std::string_view level, std::string_view dtype = "fp16") {
  weft::Object block;
  block.set("level", std::string(level));
  block.set("dtype", std::string(dtype));
  weft::Notices notices;
  return policy_of(block, notices);
}

std::string shown(const std::optional<Width>& width) {
  return width ? std::string(enum_names(Width{}).at(static_cast<std::size_t>(*width))) : "null";
}

std::string shown(const std::optional<bool>& flag) {
  return !flag ? "null" : *flag ? "true" : "false";
}

std::string scale_of(const PrecisionPolicy& policy) {
  return policy.dynamic_scale ? "dynamic" : fmt::format("{}", policy.loss_scale);
}

// The text of a recorded setting, as the functions above show ours.
std::string recorded(const json& value) {
  if (value.is_string()) return value;
  return value.is_number() ? fmt::format("{}", value.get<double>()) : value.dump();
}

void check_defaults(const json& record, Tally& tally) {
  for (const auto& [level, row] : record.items()) {
    const PrecisionPolicy policy = policy_of(level);
    const std::map<std::string, std::string> ours = {
        {"cast_model_type", shown(policy.cast_model_type)},
        {"patch_ops", shown(std::optional(policy.patch_ops))},
        {"keep_norm_fp32", shown(policy.keep_norm_fp32)},
        {"master_weights", shown(policy.master_weights)},
        {"loss_scale", scale_of(policy)},
    };
    Faults faults;
    for (const auto& [key, value] : row.items()) faults.expect(ours.at(key), recorded(value), key);
    tally.record("policy_levels defaults of " + level, faults);
  }
}

void check_bf16_scales(const json& record, Tally& tally) {
  for (const auto& [level, scale] : record.items()) {
    Faults faults;
    faults.expect(scale_of(policy_of(level, "bf16")), recorded(scale), "loss_scale");
    tally.record("policy_levels bf16 scale of " + level, faults);
  }
}

std::map<std::string, std::string> storage_as_text(const weft::StorageFormats& storage) {
  const auto text = [](weft::Stored stored) { return std::string(name_of(stored)); };
  return {
      {"weights", text(storage.weights)},
      {"norm_params", text(storage.norm_params)},
      {"crf_transitions", text(storage.crf_transitions)},
      {"gemm_inputs", text(storage.gemm_inputs)},
      {"gemm_accumulator", text(storage.gemm_accumulator)},
      {"gemm_output", text(storage.gemm_output)},
      {"f32_list_output", text(storage.f32_list_output)},
      {"logits", text(storage.logits)},
      {"loss", text(storage.loss)},
      {"activation_grads", text(storage.activation_grads)},
      {"param_grads", text(storage.param_grads)},
      {"moments", text(storage.moments)},
      {"averages", text(storage.averages)},
      {"masters", storage.masters ? "true" : "false"},
  };
}

void check_storage(const json& record, Tally& tally) {
  for (const auto& [level, row] : record.items()) {
    const auto ours = storage_as_text(storage_of(policy_of(level)));
    Faults faults;
    for (const auto& [key, value] : row.items()) faults.expect(ours.at(key), recorded(value), key);
    tally.record("policy_levels storage of " + level, faults);
  }
}

void check_shorthands(const json& record, Tally& tally) {
  for (const auto& [name, meaning] : record.items()) {
    const PrecisionPolicy policy = policy_of(name);
    Faults faults;
    faults.expect(std::string(name_of(policy.level)), meaning.at("level").get<std::string>(),
                  "level");
    faults.expect(policy.tf32, meaning.value("matmul_precision", "highest") == "tf32", "tf32");
    const std::string dtype = meaning.value("dtype", "fp16");
    faults.expect(std::string(name_of(policy.low)), dtype, "dtype");
    tally.record("policy_levels shorthand " + name, faults);
  }
}

void check_scaler_defaults(const json& record, Tally& tally) {
  const auto settings = policy_of("O2").scaling().value();
  const std::map<std::string, double> ours = {
      {"init_scale", settings.init_scale},
      {"growth_factor", settings.growth_factor},
      {"backoff_factor", settings.backoff_factor},
      {"growth_interval", settings.growth_interval},
      {"min_loss_scale", settings.min_scale},
      {"max_loss_scale", settings.max_scale},
      {"max_consecutive_skips", settings.max_consecutive_skips},
  };
  Faults faults;
  for (const auto& [key, value] : record.items()) faults.expect(ours.at(key), number(value), key);
  tally.record("policy_levels scaler defaults", faults);
}

// `severity` is what a record with a code has to have; those without have to be silent.
void check_override(const json& record, weft::Severity severity, Tally& tally) {
  weft::Object block;
  block.set("level", record.at("level").get<std::string>());
  if (record.contains("key"))
    block.set(record.at("key").get<std::string>(), node_of(record.at("value")));
  weft::Notices notices;
  policy_of(block, notices);
  std::string found;
  for (const weft::Notice& notice : notices) {
    if (notice.severity == weft::Severity::note) continue;
    found += notice.code + (notice.severity == severity ? "" : " of another severity");
  }
  Faults faults;
  faults.expect(found, record.value("code", ""), "messages");
  tally.record("policy_levels override " + record.dump(), faults);
}

void check_levels(const json& content, Tally& tally) {
  check_defaults(content.at("apex_defaults"), tally);
  check_bf16_scales(content.at("loss_scale_bf16"), tally);
  check_storage(content.at("storage"), tally);
  check_shorthands(content.at("shorthands"), tally);
  check_scaler_defaults(content.at("scaler_defaults"), tally);
  const auto check_overrides = [&](const char* key, weft::Severity severity) {
    for (const json& record : content.at(key)) check_override(record, severity, tally);
  };
  check_overrides("refused", weft::Severity::error);
  check_overrides("warned", weft::Severity::warning);
  check_overrides("accepted", weft::Severity::warning);
}

// The plan has to say for both 16-bit formats the recorded line, with "low" for either.
void check_declaration(const json& record, const weft::OpPolicy& op, Faults& faults) {
  faults.expect(op.always_f32, record.at("always_f32").get<bool>(), "always_f32");
  for (const Level level : levels) {
    for (const std::string low : {"fp16", "bf16"}) {
      const auto line = plan_op(policy_of(name_of(level), low), "components.x.model", op);
      std::string output = record.at("output").at(std::string(name_of(level)));
      if (output == "low") output = low;
      faults.expect(line.output, output, fmt::format("output at {} {}", name_of(level), low));
      faults.expect(line.category, record.at("category").get<std::string>(), "category");
      const json& sum = record.at("accumulator");
      faults.expect(line.accumulator, sum.is_null() ? "" : sum.get<std::string>(), "accumulator");
    }
  }
}

void check_op(const json& record, Tally& tally) {
  const std::string name = record.at("op");
  const std::vector<weft::OpPolicy> declarations = declarations_of(name);
  Faults faults;
  if (declarations.empty()) faults.add("neither a kernel nor a plan");
  for (const weft::OpPolicy& op : declarations) check_declaration(record, op, faults);
  tally.record("op_policy " + name, faults);
}

void check_undeclared(const json& record, Tally& tally) {
  const weft::OpPolicy op = weft::undeclared_op("plugin_op.v1");
  Faults faults;
  faults.expect(weft::notices::undeclared_op(op.name).code, record.at("message").get<std::string>(),
                "message");
  const auto at_o1 = formats_of(op, policy_of("O1"));
  const bool f32_at_o1 = at_o1.input == weft::FormatRule::f32 && at_o1.output == at_o1.input;
  faults.expect(f32_at_o1, record.at("O1") == "f32", "f32 at O1");
  for (const std::string level : {"O2", "O3"}) {
    const auto formats = formats_of(op, policy_of(level));
    const bool cast_back =
        formats.input == weft::FormatRule::f32 && formats.output == weft::FormatRule::low;
    faults.expect(cast_back, record.at(level) == "f32 inside, output cast back", level);
  }
  tally.record("op_policy undeclared", faults);
}

}  // namespace

void replay_policy(const std::filesystem::path& folder, Tally& tally) {
  if (const auto file = folder / "policy_levels.json"; tally.open(file)) {
    std::ifstream in(file);
    check_levels(json::parse(in), tally);
  }
  for_each_record(folder / "op_policy.json", "ops", tally,
                  [&](const json& record) { check_op(record, tally); });
  if (std::ifstream in(folder / "op_policy.json"); in) {
    check_undeclared(json::parse(in).at("undeclared"), tally);
  }
  for_each_record(folder / "autocast_dtypes.json", "rows", tally, [&](const json&) {
    tally.skip("autocast_dtypes", "comparison with PyTorch's CPU lists, not a target");
  });
  if (tally.open(folder / "autocast_lists.json")) {
    tally.skip("autocast_lists", "reference, nothing to compute");
  }
}

}  // namespace replay
