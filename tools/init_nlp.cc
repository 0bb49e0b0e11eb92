#include <filesystem>
#include <iostream>

#include "framework/pipeline/load_config.h"
#include "framework/pipeline/named_inputs.h"
#include "framework/pipeline/replaceable_folder.h"
#include "framework/training/prepared_pipeline.h"
#include "tools/commands.h"
#include "tools/setup.h"

namespace weft::tools {

int run_init_nlp(const Words& words) {
  CommandLine line("init nlp CONFIG DIR",
                   "Initialises the pipeline of a config with its training data and saves it as it "
                   "is before the first step.",
                   "weft init nlp train.cfg start --paths.train train.spacy");
  line.positional("CONFIG", "the config, .cfg or .toml");
  line.positional("DIR", "the folder to write; replaced if it is a pipeline");
  line.accept_code();
  line.accept_pipelines();
  line.accept_gpu();
  line.accept_overrides();
  if (!line.parse(words)) return 0;
  const std::filesystem::path folder = line.path("DIR");
  refuse_other_folder(folder);
  check_device(line);
  const Catalogue catalogue = load_catalogue(line);
  const Config config = load_config(line, line.path("CONFIG"), catalogue);
  refuse_inputs_within(folder, expanded(config));
  initialized_pipeline(config, catalogue, &std::cerr)->to_disk(folder);
  std::cerr << "wrote " << folder.string() << '\n';
  return 0;
}

}  // namespace weft::tools
