#include "framework/parser/parser_cfg.h"

#include <string>

#include "framework/io/atomic_file.h"
#include "framework/io/json_file.h"
#include "framework/pipeline/cfg_settings.h"
#include "registry/value/json.h"

namespace weft {

Object cfg_of(const ParserCfg& settings) {
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
  return cfg;
}

void write_parser_cfg(const ParserCfg& settings, const std::filesystem::path& file) {
  write_file(file, to_standard_json(cfg_of(settings)) + "\n");
}

ParserCfg read_parser_cfg(ParserCfg settings, const std::filesystem::path& file) {
  const std::string source = file.string();
  const Object cfg = read_json_object(file);
  take_setting(cfg, "update_with_oracle_cut_size", source, settings.update_with_oracle_cut_size);
  take_setting(cfg, "min_action_freq", source, settings.min_action_freq);
  take_setting(cfg, "beam_width", source, settings.beam.width);
  take_setting(cfg, "beam_density", source, settings.beam.density);
  take_share(cfg, "beam_update_prob", source, settings.beam.update_prob);
  take_setting(cfg, "learn_tokens", source, settings.learn_tokens);
  take_setting(cfg, "incorrect_spans_key", source, settings.incorrect_spans_key);
  return settings;
}

}  // namespace weft
