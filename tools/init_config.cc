#include <filesystem>
#include <iostream>

#include <fmt/format.h>

#include "components/languages/recommended_vectors.h"
#include "components/reserved/starter_blocks.h"
#include "framework/pipeline/annotate_config.h"
#include "framework/pipeline/language_notes.h"
#include "framework/pipeline/load_config.h"
#include "framework/pipeline/starter_config.h"
#include "framework/pipeline/training_obstacles.h"
#include "registry/base/error.h"
#include "tools/commands.h"
#include "tools/goal.h"
#include "tools/name_list.h"
#include "tools/setup.h"
#include "tools/verdict.h"

namespace weft::tools {
namespace {

StarterOptions options_of(const CommandLine& line) {
  StarterOptions options;
  if (line.has("lang")) options.lang = line.text("lang");
  if (line.has("pipeline")) options.pipeline = split_names(line.text("pipeline"));
  options.gpu = line.has("gpu");
  options.goal = goal_of(line.text("optimize"));
  if (options.goal == Goal::accuracy) options.vectors = recommended_vectors(options.lang);
  return options;
}

// The goal accuracy reads word vectors, which nobody has at the place where the reference would
// find its package.
void tell_of_vectors(const StarterOptions& options) {
  if (options.goal != Goal::accuracy) return;
  std::cerr << "note: the config reads word vectors; give the folder of a pipeline that has them "
               "as --paths.vectors FOLDER"
            << (options.vectors ? " (the package " + *options.vectors + " is one, unpacked)" : "")
            << '\n';
}

// Gives the exit code.
int tell_next_step(const std::filesystem::path& out, const StarterOptions& options,
                   const Config& config, const Catalogue& catalogue) {
  const Problems obstacles = training_obstacles(config, catalogue);
  if (obstacles.empty() && out != "-") {
    std::cerr << fmt::format(
        "wrote {}; train with\n  weft train {} --paths.train TRAIN --paths.dev DEV{} --output "
        "DIR\n",
        out.string(), out.string(),
        options.goal == Goal::accuracy ? " --paths.vectors FOLDER" : "");
  }
  return tell_verdict(obstacles);
}

}  // namespace

int run_init_config(const Words& words) {
  CommandLine line("init config OUT [options]", "Writes a starter config with all defaults.",
                   "weft init config train.cfg --lang en --pipeline ner");
  line.positional("OUT", "the file to write, .cfg or .toml; - for standard output");
  line.option("lang,l", "CODE", "language, en by default");
  line.option("pipeline,p", "NAMES", "components, separated by commas; ner by default");
  line.option("optimize,o", "GOAL",
              "efficiency (default) or accuracy: a larger network with word vectors");
  line.flag("gpu,G", "for training on a GPU");
  line.flag("pretraining,t", "with the section [pretraining]");
  line.also("pretraining", {"-pt"});
  line.flag("force,F", "overwrite OUT");
  line.accept_code();
  line.accept_pipelines();
  if (!line.parse(words)) return 0;
  const std::filesystem::path out = line.path("OUT");
  if (out != "-" && std::filesystem::exists(out) && !line.has("force")) {
    throw Error(ErrorKind::usage, fmt::format("{} exists; --force overwrites it", out.string()));
  }
  const Catalogue catalogue = load_catalogue(line);
  Problems problems;
  const StarterOptions options = options_of(line);
  const Config starter = starter_config(options, catalogue, reserved_starter_blocks());
  Config filled = fill_pipeline_config(starter, catalogue, problems);
  report_problems(problems);
  if (line.has("pretraining")) filled = with_pretraining(filled);
  report_problems(language_notes(filled, catalogue));
  Config commented = filled;
  annotate_config(commented, catalogue);
  write_config(commented, out, out, SectionOrder::depth_first);
  tell_of_vectors(options);
  return tell_next_step(out, options, filled, catalogue);
}

}  // namespace weft::tools
