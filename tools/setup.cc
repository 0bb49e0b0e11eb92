#include "tools/setup.h"

#include <cstdlib>
#include <iostream>
#include <utility>

#include <fmt/format.h>

#include "components/builtin.h"
#include "framework/io/atomic_file.h"
#include "framework/io/made_folders.h"
#include "framework/pipeline/check_config.h"
#include "framework/pipeline/check_construction.h"
#include "framework/pipeline/find_pipeline.h"
#include "framework/pipeline/language_notes.h"
#include "framework/pipeline/load_config.h"
#include "framework/tensor/open_backend.h"
#include "framework/text/printable.h"
#include "registry/base/error.h"
#include "registry/reading/toml_reader.h"
#include "registry/value/json.h"
#include "registry/writing/toml_writer.h"
#include "tools/python_code.h"
#include "tools/standard_streams.h"

namespace weft::tools {
namespace {

std::string config_text(const Config& config, const std::filesystem::path& dialect,
                        SectionOrder order, bool ascii) {
  Problems problems;
  std::string text = dialect.extension() == ".toml"
                         ? write_toml(config, problems, ascii)
                         : write_cfg(config, problems, {.order = order, .ascii = ascii});
  report_problems(problems);
  if (!text.ends_with('\n')) text += '\n';
  return text;
}

// Saved pipelines say by its name which plugin they need.
void refuse_both(const PluginInfo& first, const PluginInfo& second) {
  if (std::filesystem::equivalent(first.file, second.file)) {
    throw Error(ErrorKind::plugin,
                fmt::format("the plugin {} is given twice", second.file.string()));
  }
  if (first.name != second.name) return;
  throw Error(ErrorKind::plugin,
              fmt::format("two plugins are called {}: {} ({}) and {} ({}); leave one of them out",
                          first.name, first.file.string(), first.version, second.file.string(),
                          second.version));
}

// A plugin that calls std::exit while it is loaded would end the program without a word, and as if
// all had gone well.
class LoadWatch {
 public:
  explicit LoadWatch(const std::string& code) {
    static const int registered = std::atexit(&tell);
    static_cast<void>(registered);
    loading_ = &code;
  }
  ~LoadWatch() { loading_ = nullptr; }
  LoadWatch(const LoadWatch&) = delete;
  LoadWatch& operator=(const LoadWatch&) = delete;

 private:
  static void tell() {
    if (loading_ == nullptr) return;
    std::cout.flush();
    std::cerr
        << fmt::format(
               "weft: the plugin {} cannot be used: it ended the program while it was loaded\n",
               *loading_)
        << std::flush;
    std::_Exit(exit_code(ErrorKind::plugin));
  }
  static const std::string* loading_;
};

const std::string* LoadWatch::loading_ = nullptr;

void load_code(const std::string& code, Catalogue& catalogue) {
  if (!is_python_file(code)) {
    const LoadWatch watch(code);
    load_plugin(code, catalogue);
  } else if (python_code() != nullptr) {
    python_code()->import(code);
  } else {
    throw Error(ErrorKind::usage,
                fmt::format("{} is Python, which this program has not inside: `python -m weft`, of "
                            "the Python package, has the same commands and loads it "
                            "(docs/python.md)",
                            code));
  }
}

}  // namespace

std::vector<PluginInfo> inspect_plugins(const CommandLine& line) {
  std::vector<PluginInfo> plugins;
  for (const std::string& library : line.texts("code")) {
    if (is_python_file(library)) continue;
    PluginInfo plugin = inspect_plugin(library);
    for (const PluginInfo& other : plugins) refuse_both(other, plugin);
    plugins.push_back(std::move(plugin));
  }
  return plugins;
}

Catalogue load_catalogue(const CommandLine& line) {
  const std::vector<std::string> folders = line.texts("pipelines");
  set_pipeline_folders({folders.begin(), folders.end()});
  Catalogue catalogue;
  add_builtin(catalogue);
  if (line.texts("code").size() > 1) static_cast<void>(inspect_plugins(line));
  for (const std::string& code : line.texts("code")) load_code(code, catalogue);
  if (python_code() != nullptr) python_code()->add_functions(catalogue);
  return catalogue;
}

void check_device(const CommandLine& line) {
  const int gpu = line.number("gpu-id", -1);
  if (gpu < 0) return;
  static_cast<void>(gpu_device(open_cuda_backend(), gpu));
}

void report_problems(const Problems& problems) {
  weft::report_problems(problems, std::cerr);
}

namespace {

Config load(const std::filesystem::path& file, const Overrides& overrides, Problems problems,
            const Catalogue& catalogue, Pretraining section) {
  Config config = load_pipeline_config(input_name(file.string()), overrides, catalogue, problems,
                                       section == Pretraining::completed);
  if (has_errors(problems)) add_construction_problems(config, catalogue, problems);
  report_problems(problems);
  report_problems(language_notes(config, catalogue));
  return config;
}

}  // namespace

Config load_config(const CommandLine& line, const std::filesystem::path& file,
                   const Catalogue& catalogue, Pretraining section) {
  Problems problems;
  const Overrides overrides = collect_all_overrides(line.override_words(), problems);
  if (line.has("verbose")) {
    for (const auto& [name, value] : overrides) {
      std::cerr << fmt::format("override: {} = {}, from {}\n", name, to_json(value),
                               value.origin.str());
    }
  }
  return load(file, overrides, std::move(problems), catalogue, section);
}

Config load_other_config(const std::filesystem::path& file, const Catalogue& catalogue) {
  return load(file, {}, {}, catalogue, Pretraining::as_it_is);
}

void write_config(const Config& config, const std::filesystem::path& dialect,
                  const std::filesystem::path& file, SectionOrder order) {
  std::string text = config_text(config, dialect, order, false);
  const bool is_shown = file.empty() || file == "-";
  if (is_shown && printable_lines(text) != text) text = config_text(config, dialect, order, true);
  write_output(file, text);
}

void write_output(const std::filesystem::path& file, const std::string& text) {
  if (file.empty() || file == "-") {
    std::cout << text;
    return;
  }
  const MadeFolders around(file.parent_path());
  write_file(file, text);
}

bool has_content(const std::filesystem::path& folder) {
  if (folder.empty() || !std::filesystem::exists(folder)) return false;
  if (!std::filesystem::is_directory(folder)) {
    throw Error(ErrorKind::usage, fmt::format("{} is no folder", folder.string()));
  }
  return !std::filesystem::is_empty(folder);
}

}  // namespace weft::tools
