#include "tools/setup.h"

#include <iostream>

#include <fmt/format.h>

#include "components/builtin.h"
#include "framework/io/atomic_file.h"
#include "framework/pipeline/load_config.h"
#include "framework/tensor/open_backend.h"
#include "registry/cfg_writer.h"
#include "registry/error.h"
#include "registry/json.h"
#include "registry/plugin.h"
#include "registry/toml_reader.h"

namespace weft::tools {

Catalogue load_catalogue(const CommandLine& line) {
  Catalogue catalogue;
  add_builtin(catalogue);
  for (const std::string& library : line.texts("code")) load_plugin(library, catalogue);
  return catalogue;
}

void check_device(const CommandLine& line) {
  const int gpu = line.number("gpu-id", -1);
  if (gpu < 0) return;
  static_cast<void>(gpu_device(open_cuda_backend(), gpu));
}

void settle(const Problems& problems) {
  Problems errors;
  for (const Problem& problem : problems) {
    if (problem.severity == Severity::error) {
      errors.push_back(problem);
    } else {
      const bool is_warning = problem.severity == Severity::warning;
      std::cerr << (is_warning ? "warning: " : "note: ") << problem.str() << '\n';
    }
  }
  if (!errors.empty()) throw Error(ErrorKind::config, std::move(errors));
}

Config load_config(const CommandLine& line, const std::filesystem::path& file,
                   const Catalogue& catalogue) {
  Problems problems;
  const Overrides overrides = collect_all_overrides(line.override_words(), problems);
  if (line.has("verbose")) {
    for (const auto& [name, value] : overrides) {
      std::cerr << fmt::format("override: {} = {}, from {}\n", name, to_json(value),
                               value.origin.str());
    }
  }
  Config config = load_pipeline_config(file, overrides, catalogue, problems);
  settle(problems);
  return config;
}

std::string config_text(const Config& config, const std::filesystem::path& file) {
  Problems problems;
  const bool toml = file.extension() == ".toml";
  std::string text = toml ? write_toml(config, problems) : write_cfg(config, problems);
  settle(problems);
  if (!text.ends_with('\n')) text += '\n';
  return text;
}

void write_output(const std::filesystem::path& file, const std::string& text) {
  if (file.empty() || file == "-") {
    std::cout << text;
    return;
  }
  if (file.has_parent_path()) std::filesystem::create_directories(file.parent_path());
  write_file(file, text);
}

}  // namespace weft::tools
