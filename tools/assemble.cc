#include <filesystem>
#include <iostream>

#include <fmt/format.h>

#include "framework/pipeline/assembled_pipeline.h"
#include "framework/pipeline/load_config.h"
#include "framework/pipeline/named_inputs.h"
#include "framework/pipeline/pattern_warnings.h"
#include "framework/pipeline/sourcing_warnings.h"
#include "registry/base/error.h"
#include "tools/commands.h"
#include "tools/setup.h"

namespace weft::tools {

int run_assemble(const Words& words) {
  CommandLine line("assemble CONFIG DIR",
                   "Puts a pipeline together without training, from sourced and plain components.",
                   "weft assemble both.cfg both");
  line.positional("CONFIG", "the config; components that were trained have a `source`");
  line.positional("DIR", "the folder to write; replaced if it is a pipeline");
  line.accept_code();
  line.accept_pipelines();
  line.accept_overrides();
  if (!line.parse(words)) return 0;
  const std::filesystem::path folder = line.path("DIR");
  if (std::filesystem::exists(folder) && !std::filesystem::exists(folder / "meta.json")) {
    throw Error(ErrorKind::usage, fmt::format("{} exists and is no pipeline", folder.string()));
  }
  const Catalogue catalogue = load_catalogue(line);
  const Config config = load_config(line, line.path("CONFIG"), catalogue);
  const Config values = expanded(config);
  refuse_inputs_within(folder, values);
  const auto nlp = assembled_pipeline(config, catalogue);
  report_problems(vector_warnings(*nlp, values));
  report_problems(pattern_warnings(*nlp));
  nlp->to_disk(folder);
  std::cerr << "wrote " << folder.string() << '\n';
  return 0;
}

}  // namespace weft::tools
