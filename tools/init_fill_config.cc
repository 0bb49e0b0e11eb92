#include <filesystem>

#include "framework/pipeline/load_config.h"
#include "framework/pipeline/training_obstacles.h"
#include "tools/commands.h"
#include "tools/setup.h"

namespace weft::tools {

int run_init_fill_config(const Words& words) {
  CommandLine line("init fill-config BASE [OUT]",
                   "Writes all defaults into a config, so that nothing stays hidden.",
                   "weft init fill-config base.cfg train.cfg");
  line.positional("BASE", "the config to fill, .cfg or .toml");
  line.positional("OUT", "where to write it, .cfg or .toml; standard output by default", false);
  line.flag("pretraining", "with the section [pretraining]");
  line.also("pretraining", {"-pt"});
  line.accept_code();
  line.accept_pipelines();
  if (!line.parse(words)) return 0;
  const Catalogue catalogue = load_catalogue(line);
  Config filled = load_config(line, line.path("BASE"), catalogue, Pretraining::completed);
  report_problems(missing_sources(filled));
  if (line.has("pretraining")) filled = with_pretraining(filled);
  const std::filesystem::path out = line.path("OUT");
  write_config(filled, out.empty() ? line.path("BASE") : out, out);
  return 0;
}

}  // namespace weft::tools
