#include "framework/parser/parser_cfg.h"

#include <cstdint>
#include <utility>
#include <variant>

#include "framework/io/atomic_file.h"
#include "framework/io/json_file.h"
#include "framework/io/mapped_file.h"
#include "registry/base/error.h"
#include "registry/value/json.h"

namespace weft {

namespace {

void take(const Object& cfg, const char* key, const std::string& source, int& value) {
  const Node* found = cfg.find(key);
  if (found == nullptr || !found->is_integer()) return;
  const auto* number = std::get_if<std::int64_t>(&found->value());
  if (number == nullptr || !std::in_range<int>(*number)) {
    throw Error(ErrorKind::data, source + ": " + key + " is no number of 32 bits");
  }
  value = static_cast<int>(*number);
}

void take(const Object& cfg, const char* key, double& value) {
  const Node* found = cfg.find(key);
  if (found == nullptr) return;
  if (found->is_float()) value = found->as_float();
  if (const auto* number = std::get_if<std::int64_t>(&found->value())) {
    value = static_cast<double>(*number);
  }
}

}  // namespace

void write_parser_cfg(const ParserCfg& settings, const std::filesystem::path& file) {
  Object cfg;
  cfg.set("moves", nullptr);
  cfg.set("update_with_oracle_cut_size", settings.update_with_oracle_cut_size);
  cfg.set("multitasks", List());
  cfg.set("min_action_freq", settings.min_action_freq);
  cfg.set("learn_tokens", settings.learn_tokens);
  cfg.set("beam_width", settings.beam.width);
  cfg.set("beam_density", settings.beam.density);
  cfg.set("beam_update_prob", settings.beam.update_prob);
  cfg.set("incorrect_spans_key",
          settings.incorrect_spans_key ? Node(*settings.incorrect_spans_key) : Node());
  write_file(file, to_standard_json(cfg) + "\n");
}

ParserCfg read_parser_cfg(ParserCfg settings, const std::filesystem::path& file) {
  const std::string source = file.string();
  const Object cfg = read_json_object(file);
  take(cfg, "update_with_oracle_cut_size", source, settings.update_with_oracle_cut_size);
  take(cfg, "min_action_freq", source, settings.min_action_freq);
  take(cfg, "beam_width", source, settings.beam.width);
  take(cfg, "beam_density", settings.beam.density);
  take(cfg, "beam_update_prob", settings.beam.update_prob);
  if (const Node* learn = cfg.find("learn_tokens"); learn != nullptr && learn->is_bool()) {
    settings.learn_tokens = learn->as_bool();
  }
  if (const Node* key = cfg.find("incorrect_spans_key"); key != nullptr && key->is_string()) {
    settings.incorrect_spans_key = key->as_string();
  }
  return settings;
}

}  // namespace weft
