#include <filesystem>
#include <iostream>

#include <fmt/format.h>

#include "framework/pipeline/load_config.h"
#include "framework/pipeline/starter_config.h"
#include "registry/base/error.h"
#include "tools/commands.h"
#include "tools/setup.h"

namespace weft::tools {
namespace {

std::vector<std::string> split_names(const std::string& text) {
  std::vector<std::string> names;
  for (std::size_t start = 0; start <= text.size();) {
    const std::size_t end = std::min(text.find(',', start), text.size());
    std::string name = text.substr(start, end - start);
    std::erase(name, ' ');
    if (!name.empty()) names.push_back(std::move(name));
    start = end + 1;
  }
  return names;
}

StarterOptions options_of(const CommandLine& line) {
  StarterOptions options;
  if (line.has("lang")) options.lang = line.text("lang");
  if (line.has("pipeline")) options.pipeline = split_names(line.text("pipeline"));
  options.gpu = line.has("gpu");
  const std::string optimize = line.has("optimize") ? line.text("optimize") : "efficiency";
  if (optimize != "efficiency" && optimize != "accuracy") {
    throw Error(ErrorKind::usage,
                fmt::format("--optimize takes efficiency or accuracy, not '{}'", optimize));
  }
  options.accuracy = optimize == "accuracy";
  return options;
}

}  // namespace

int run_init_config(const Words& words) {
  CommandLine line("init config OUT [options]", "Writes a starter config with all defaults.",
                   "weft init config train.cfg --lang en --pipeline ner");
  line.positional("OUT", "the file to write, .cfg or .toml; - for standard output");
  line.option("lang,l", "CODE", "language, en by default");
  line.option("pipeline,p", "NAMES", "components, separated by commas; ner by default");
  line.option("optimize,o", "GOAL", "efficiency (default) or accuracy: a larger network");
  line.flag("gpu,G", "for training on a GPU");
  line.flag("force,F", "overwrite OUT");
  line.accept_code();
  if (!line.parse(words)) return 0;
  const std::filesystem::path out = line.path("OUT");
  if (out != "-" && std::filesystem::exists(out) && !line.has("force")) {
    throw Error(ErrorKind::usage, fmt::format("{} exists; --force overwrites it", out.string()));
  }
  const Catalogue catalogue = load_catalogue(line);
  Problems problems;
  const Config filled = fill_pipeline_config(starter_config(options_of(line)), catalogue, problems);
  settle(problems);
  write_config(filled, out, out);
  if (out != "-") {
    std::cerr << fmt::format(
        "wrote {}; train with\n  weft train {} --paths.train TRAIN --paths.dev DEV --output DIR\n",
        out.string(), out.string());
  }
  return 0;
}

}  // namespace weft::tools
