#include "registry/reading/cfg_reader.h"

#include <memory>
#include <string>
#include <utility>

#include "registry/base/file_text.h"
#include "registry/reading/cfg_lines.h"
#include "registry/reading/cfg_tree.h"
#include "registry/reading/toml_reader.h"
#include "registry/variables/interpolate.h"

namespace weft {
namespace {

Config read(std::string_view text, LineEnds ends, std::string_view name, Problems& problems,
            const ReadOptions& options) {
  const auto shared_name = std::make_shared<const std::string>(name);
  const VariableMode mode = options.interpolate ? VariableMode::expanded : VariableMode::kept;
  Problems found;
  RawFile file = split_lines(text, ends, shared_name, found);
  // Behind a line that could not be read, mistakes of structure may be its echo.
  const bool lines_are_sound = !has_errors(found);
  Problems structure;
  Config config = build_tree(std::move(file), shared_name, mode, structure);
  if (lines_are_sound) found = std::move(structure);
  if (options.single_dollars && !options.interpolate) {
    for (auto& [name_of_section, section] : config.root()) take_dollars(section);
  }
  if (!has_errors(found)) finish_reading(config, options, found);
  std::move(found.begin(), found.end(), std::back_inserter(problems));
  return config;
}

}  // namespace

void finish_reading(Config& config, const ReadOptions& options, Problems& problems) {
  apply_overrides(config, options.overrides, problems);
  if (options.interpolate) expand_variables(config, References::sections, problems);
}

Config read_cfg(std::string_view text, std::string_view name, Problems& problems,
                const ReadOptions& options) {
  return read(text, LineEnds::line_feed, name, problems, options);
}

Config read_config_file(const std::filesystem::path& file, Problems& problems,
                        const ReadOptions& options) {
  const std::string text = read_file_text(file);
  if (file.extension() == ".toml") return read_toml(text, file.string(), problems, options);
  return read(text, LineEnds::universal, file.string(), problems, options);
}

}  // namespace weft
