// The option --precision of commands that predict.
#pragma once

#include "framework/pipeline/language.h"
#include "tools/command_line.h"

namespace weft::tools {

// Predictions follow the level of --precision; f32 without one. Throws Error(config) for an unknown
// level.
void follow_precision(const CommandLine& line, Language& nlp);

}  // namespace weft::tools
