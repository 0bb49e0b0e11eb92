// The options --exclude and --enable of commands that use a saved pipeline.
#pragma once

#include <memory>

#include "framework/pipeline/language.h"
#include "registry/functions/catalogue.h"
#include "tools/command_line.h"

namespace weft::tools {

void accept_component_choice(CommandLine& line);

// The pipeline of the word PIPELINE, without what the options leave out. Throws as load_pipeline
// does; an error of a component that could be left out says how.
std::shared_ptr<Language> load_chosen(const CommandLine& line, const Catalogue& catalogue);

}  // namespace weft::tools
