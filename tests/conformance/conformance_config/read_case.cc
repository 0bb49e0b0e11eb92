#include "tests/conformance/conformance_config/read_case.h"

namespace weft::conformance {

Overrides overrides_of(const Case& record, Problems& problems) {
  Overrides overrides;
  if (record.has("overrides")) {
    for (const auto& [name, value] : record.record().at("overrides").items()) {
      overrides.emplace_back(name, to_node(value));
    }
  }
  if (!record.has("argv")) return overrides;
  const auto argv = record.record().at("argv").get<std::vector<std::string>>();
  return collect_overrides(argv, {{"SPACY_CONFIG_OVERRIDES", record.text("env")}}, problems);
}

Config read_case(const Case& record, const char* field, bool interpolate, Problems& problems) {
  ReadOptions options;
  options.interpolate = interpolate;
  if (std::string_view(field) == "config") options.overrides = overrides_of(record, problems);
  if (has_errors(problems)) return Config();
  return read_cfg(record.text(field), record.id(), problems, options);
}

}  // namespace weft::conformance
