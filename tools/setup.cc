#include "tools/setup.h"

#include <iostream>

#include <fmt/format.h>

#include "components/builtin.h"
#include "framework/io/atomic_file.h"
#include "framework/pipeline/load_config.h"
#include "framework/tensor/open_backend.h"
#include "framework/text/printable.h"
#include "framework/text/warning_limit.h"
#include "registry/base/error.h"
#include "registry/plugins/plugin.h"
#include "registry/reading/toml_reader.h"
#include "registry/value/json.h"
#include "registry/writing/cfg_writer.h"
#include "registry/writing/toml_writer.h"

namespace weft::tools {
namespace {

std::string config_text(const Config& config, const std::filesystem::path& dialect, bool ascii) {
  Problems problems;
  std::string text = dialect.extension() == ".toml" ? write_toml(config, problems, ascii)
                                                    : write_cfg(config, problems, {.ascii = ascii});
  settle(problems);
  if (!text.ends_with('\n')) text += '\n';
  return text;
}

}  // namespace

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
  WarningLimit findings(std::cerr, kMostProblems);
  for (const Problem& problem : problems) {
    if (problem.severity == Severity::error) {
      errors.push_back(problem);
    } else {
      const bool is_warning = problem.severity == Severity::warning;
      findings.show(is_warning ? "warnings of the config" : "notes on the config",
                    (is_warning ? "warning: " : "note: ") + problem.str());
    }
  }
  findings.summarize();
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

void write_config(const Config& config, const std::filesystem::path& dialect,
                  const std::filesystem::path& file) {
  std::string text = config_text(config, dialect, false);
  const bool is_shown = file.empty() || file == "-";
  if (is_shown && printable_lines(text) != text) text = config_text(config, dialect, true);
  write_output(file, text);
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
