#include <filesystem>
#include <iostream>
#include <vector>

#include <fmt/format.h>

#include "framework/io/held_folder.h"
#include "framework/io/pretty_json.h"
#include "framework/pipeline/component_name.h"
#include "framework/pipeline/load_config.h"
#include "framework/pipeline/named_inputs.h"
#include "framework/training/prepared_pipeline.h"
#include "registry/base/error.h"
#include "registry/base/input_file.h"
#include "tools/commands.h"
#include "tools/documents.h"
#include "tools/setup.h"

namespace weft::tools {

int run_init_labels(const Words& words) {
  CommandLine line(
      "init labels CONFIG DIR",
      "Collects the labels of each component from the training data into files, so that "
      "large data is not read for them again.",
      "weft init labels train.cfg labels --paths.train train.spacy");
  line.positional("CONFIG", "the config, .cfg or .toml");
  line.positional("DIR", "gets a file COMPONENT.json for each component with labels");
  line.accept_code();
  line.accept_pipelines();
  line.accept_overrides();
  if (!line.parse(words)) return 0;
  const Catalogue catalogue = load_catalogue(line);
  const Config config = load_config(line, line.path("CONFIG"), catalogue);
  const std::filesystem::path folder = line.path("DIR");
  const std::vector<std::filesystem::path> corpora = named_corpora(expanded(config));
  if (is_there(folder / "meta.json")) {
    throw Error(ErrorKind::usage,
                fmt::format("{} is a saved pipeline, whose files are its own; give another folder",
                            folder.string()));
  }
  const HeldFolder held(folder);
  const auto nlp = initialized_pipeline(config, catalogue, &std::cerr);
  for (const NamedComponent& component : nlp->pipeline()) {
    const Node labels = component.component->label_data();
    if (labels.is_null()) continue;
    auto file = component_path(folder, component.name);
    file += ".json";
    for (const auto& corpus : corpora) refuse_output_on_input(file, corpus);
    write_output(file, to_pretty_json(labels) + '\n');
    std::cerr << fmt::format(
        "wrote {}; use it as\n[initialize.components.{}.labels]\n"
        "@readers = \"spacy.read_labels.v1\"\npath = \"{}\"\n",
        file.string(), component.name, file.string());
  }
  return 0;
}

}  // namespace weft::tools
